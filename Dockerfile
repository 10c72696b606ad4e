# One image for the site and the workers; the command decides which (see docker-compose.yml).
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PRISM_ENV=production PRISM_VAR=/var/lib/prism
RUN useradd --system --uid 10001 --create-home prism && mkdir -p /var/lib/prism && chown prism /var/lib/prism
WORKDIR /opt/prism
COPY requirements.lock .
RUN pip install --no-cache-dir -r requirements.lock
COPY . .
# Collecting static files needs settings, not secrets: the key below never serves a request.
RUN PRISM_ENV=local PRISM_VAR=/opt/prism/build python manage.py compile_messages \
 && PRISM_ENV=local PRISM_VAR=/opt/prism/build PRISM_MANIFEST=1 python manage.py collectstatic --noinput \
 && chown -R prism /opt/prism/build
ENV PRISM_STATIC=/opt/prism/build/staticfiles
USER prism
EXPOSE 8000
CMD ["python", "-m", "gunicorn", "prism_site.wsgi", "--bind", "0.0.0.0:8000", "--workers", "2", "--threads", "8", "--preload"]
