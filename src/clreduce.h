/* All of clreduce's library. Each part has its own header, which is its manual; they build on each other from
 * top to bottom. Everything is C11, prefixed red_ or RED_; nothing prints, and nothing is global but tables
 * that never change.
 *
 * Every fallible function returns an enum red_status and takes a struct red_error last (model/status.h). */
#ifndef CLREDUCE_H
#define CLREDUCE_H

/* model: what is compared: types, operations, strategies and the catalogue, sizes, geometry, data. No OpenCL
 */
#include "model/catalogue.h"
#include "model/geometry.h"
#include "model/input.h"
#include "model/select.h"
#include "model/shape.h"
#include "model/sizes.h"
#include "model/source.h"
#include "model/status.h"

/* oracle: what is right: exact sums, the OpenMP reference, error bounds. No OpenCL */
#include "oracle/bound.h"
#include "oracle/exact.h"
#include "oracle/reference.h"
#include "oracle/truth.h"

/* device: where it runs: devices, capabilities, plans, verification */
#include "device/capability.h"
#include "device/device.h"
#include "device/plan.h"
#include "device/resident.h"
#include "device/roof.h"
#include "device/verify.h"

/* record: what was seen: statistics, result files */
#include "record/past.h"
#include "record/recall.h"
#include "record/result.h"
#include "record/run.h"
#include "record/statistics.h"

/* advice: which strategy to use, from result files */
#include "advice/advice.h"
#include "advice/curves.h"
#include "advice/regret.h"
#include "advice/rules.h"

#endif
