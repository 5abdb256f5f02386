/* All of clreduce's library. Each part has its own header, which is its manual; they build on each other from
 * top to bottom. Everything is C11, prefixed red_ or RED_; nothing prints, and nothing is global but tables
 * that never change.
 *
 * Every fallible function returns an enum red_status and takes a struct red_error last (core/status.h). */
#ifndef CLREDUCE_H
#define CLREDUCE_H

/* model: what is compared: types, operations, strategies and the catalogue, sizes, geometry, data. No OpenCL
 */
#include "core/select.h"
#include "core/status.h"
#include "model/catalogue.h"
#include "model/geometry.h"
#include "model/input.h"

/* oracle: what is right: exact sums, the OpenMP reference, error bounds. No OpenCL */
#include "oracle/exact.h"
#include "oracle/reference.h"
#include "oracle/truth.h"

/* device: where it runs: devices, capabilities, plans, verification */
#include "cl/device.h"
#include "cl/plan.h"
#include "cl/resident.h"
#include "cl/roof.h"
#include "model/capability.h"

/* record: what was seen: statistics, result files */
#include "results/result.h"
#include "results/run.h"
#include "stats/statistics.h"

/* advice: which strategy to use, from result files */
#include "recommend/advice.h"

#endif
