# shellcheck shell=bash
# What tests of one driver begin with; to be sourced.

# need_device CLREDUCE DEVICE: ends the test, as skipped, where the machine lacks the device. One small check: `devices` would
# probe all that the driver can do.
need_device() {
    local said
    said=$("$1" verify --device "$2" --strategy serial --type i32 --op sum --n 1 2>&1)
    case $? in
    0) ;;
    4 | 77) echo "skipped: there is no device $2 on this machine" && exit 77 ;;
    *) echo "$said" && exit 1 ;;
    esac
}
