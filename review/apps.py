from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "review"

    def ready(self) -> None:
        from accounts import people
        from review import receivers  # noqa: F401  (connects the receivers)
        from review.services import marks, meanings, own_data, rounds
        from scoring.services import reviewing

        reviewing.register(rounds.withheld, marks.current)
        reviewing.register_meanings(meanings.of_task)
        people.register_export("grades", own_data.grades_of)
