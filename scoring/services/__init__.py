"""What apps and commands may ask of scoring. Each function that writes is one transaction; `check_x` decides, `do_x` acts.

- `bank`: tasks folder → Task, TaskBundle, control answers
- `answers`: experiment files → Answer; `verdicts`: recorded scores → Score; `exporting`: both formats back
- `stacks`: which instruments, versions and protocol give a score; which stack a board shows
- `work`: what is to be scored, claims, leases; `scores`: a measured result → Score
- `crosscheck`: two engines over the same answers, and what of it the public sees; `nightly`: when, and by which worker
- `versions`: the counter that pages' caches carry in their keys
"""
