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
//@ variant: tree_passes
//@ variant: other
//@ counterpart: mine
// a comment

kernel
//@ name: late
