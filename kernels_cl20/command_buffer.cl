//@ name:   command_buffer
//@ idea:   both launches recorded once and replayed by one command
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: command_buffer
//@ needs:  local_memory, command_buffer
//@ types:  all
//@ ops:    all
//@ source: OpenCL Extension Specification, cl_khr_command_buffer
//@ counterpart: tree_two

#include "grid_stride_vec.cl"
