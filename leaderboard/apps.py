from contextlib import suppress

from django.apps import AppConfig


class LeaderboardConfig(AppConfig):
    name = "leaderboard"

    def ready(self) -> None:
        # Requests share the cores already; small matrices gain nothing from more threads and wait for each other under load.
        with suppress(ImportError):
            import numpy  # noqa: F401  (its BLAS must be loaded to be limited)
            from threadpoolctl import threadpool_limits

            threadpool_limits(limits=1, user_api="blas")
