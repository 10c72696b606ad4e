"""Wiring. Two variables move PRISM from embedded defaults to servers: DATABASE_URL (PostgreSQL) and REDIS_URL (Redis).

PRISM_ENV=production refuses a default secret, DEBUG and open hosts; see `environment.production_faults`.
"""

from __future__ import annotations

import os
from pathlib import Path

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from prism_site import environment
from scoring import embedded_redis
from scoring.instruments.settings import OddSetting, read_settings

BASE_DIR = Path(__file__).resolve().parent.parent
ENV = os.environ
VAR_DIR = environment.data_folder(ENV, BASE_DIR / "var")

MODE = environment.mode(ENV)
PRODUCTION = MODE == "production"
if PRODUCTION:
    environment.refuse_unsafe(ENV)

DEBUG = environment.flag(ENV, "PRISM_DEBUG")
SECRET_KEY = ENV.get("PRISM_SECRET_KEY") or environment.local_secret(VAR_DIR)
ALLOWED_HOSTS = environment.words(ENV, "PRISM_ALLOWED_HOSTS") or ["localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = environment.words(ENV, "PRISM_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_rq",
    "prism_site",
    "scoring",
    "accounts",
    "leaderboard",
    "review",
    "authoring",
    "runs",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "prism_site.middleware.security_headers",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "prism_site.middleware.russian_first",
    "django.middleware.locale.LocaleMiddleware",
    "prism_site.middleware.language_of_address",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "prism_site.urls"
WSGI_APPLICATION = "prism_site.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "prism_site.context.site",
            ],
        },
    },
]

# --- data ---------------------------------------------------------------------------------------------------------

SQLITE = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": VAR_DIR / "prism.sqlite3",
    # Opening the file and setting it up would cost more than the one query of a page seen before.
    "CONN_MAX_AGE": 60,
    "OPTIONS": {
        # Writers queue up at BEGIN instead of failing in mid-transaction; readers never wait (WAL).
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32000;",
    },
    "TEST": {"NAME": VAR_DIR / f"test-{os.getpid()}.sqlite3"},
}
DATABASE_URL = ENV.get("DATABASE_URL", "")
DATABASES = {"default": dj_database_url.parse(DATABASE_URL, conn_max_age=60) if DATABASE_URL else SQLITE}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = ENV.get("REDIS_URL", "")
# Without REDIS_URL the queue lives in an embedded server under var/, started by whoever needs it first.
RQ = {"WORKER_CLASS": "scoring.queue.PrismWorker"}
EMBEDDED_SOCKET = str(embedded_redis.socket_path(VAR_DIR))
RQ_CONNECTION = {"URL": REDIS_URL} if REDIS_URL else {"UNIX_SOCKET_PATH": EMBEDDED_SOCKET, "DB": 0}
RQ_QUEUES = {name: {**RQ_CONNECTION, "DEFAULT_TIMEOUT": 3600} for name in ("scoring", "generation", "default", "low")}

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 2000},
    }
}

# --- people -------------------------------------------------------------------------------------------------------

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

AUTHENTICATION_BACKENDS = ["accounts.backends.ThrottledBackend"]
LOGIN_URL = "accounts:login"
LOGIN_REDIRECT_URL = "review:home"

LANGUAGE_CODE = "ru"
LANGUAGES = [("ru", _("Русский")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "review" / "locale", BASE_DIR / "authoring" / "locale", BASE_DIR / "runs" / "locale"]
FORMAT_MODULE_PATH = ["prism_site.formats"]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

# --- files and headers --------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = Path(ENV.get("PRISM_STATIC", VAR_DIR / "staticfiles"))
STATICFILES_DIRS = [path for path in [BASE_DIR / "static"] if path.is_dir()]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "prism_site.finders.PlotlyFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION or environment.flag(ENV, "PRISM_MANIFEST")
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
if not PRODUCTION:
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)
WHITENOISE_USE_FINDERS = not PRODUCTION

FILE_UPLOAD_HANDLERS = [
    "authoring.uploads.UploadQuota",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
# A file of a bundle is edited as a form's field: as large as the loader takes one, in letters of two bytes, escaped.
DATA_UPLOAD_MAX_MEMORY_SIZE = 12_000_000

X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
if PRODUCTION:
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = environment.flag(ENV, "PRISM_SSL_REDIRECT", default=True)
    SECURE_HSTS_SECONDS = environment.whole_number(ENV, "PRISM_HSTS_SECONDS", default=3600, lowest=0)
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_REDIRECT_EXEMPT = [r"^healthz$"]

# --- PRISM --------------------------------------------------------------------------------------------------------

PRISM_TASKS_DIR = Path(ENV.get("PRISM_TASKS", BASE_DIR / "tasks"))
PRISM_METRICS_DIR = BASE_DIR / "metrics"
try:
    PRISM_ENGINES = read_settings(ENV, VAR_DIR)
except OddSetting as odd:
    raise ImproperlyConfigured(str(odd)) from None
PRISM_WORKERS = environment.whole_number(ENV, "PRISM_WORKERS", default=max(1, os.cpu_count() or 1))
# Longer than the longest honest measurement (every safety limit of time hit in turn). Only workers of other machines are
# waited for so long: a dead process of this one is seen at once.
PRISM_LEASE_SECONDS = environment.whole_number(ENV, "PRISM_LEASE_SECONDS", default=900)
# Engines are compared at night where a genuine one is here: "off", or the local hour from which it may begin.
PRISM_CROSS_CHECK_HOUR = environment.hour(ENV, "PRISM_CROSS_CHECK", default=2)
PRISM_TIME_ZONE = environment.time_zone(ENV)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {"rq": {"handlers": ["console"], "level": ENV.get("PRISM_LOG", "WARNING").upper(), "propagate": False}},
    "root": {"handlers": ["console"], "level": ENV.get("PRISM_LOG", "WARNING").upper()},
}
