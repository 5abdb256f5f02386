//@ name: mine
//@	idea: a: b
//@ span: each
//@ lanes: 4
//@ group: tree
//@ finish: host
//@ needs: local_memory, fp64
//@ types: f32,i32
//@ ops: dot
//@ source: s
// a comment

kernel
//@ name: late
