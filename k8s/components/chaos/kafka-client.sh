#!/usr/bin/env bash
# Waits for Kafka and for the Secrets that Strimzi makes, and writes the file for --kafka-config. After five minutes
# it fails, so that the pod's status shows what is missing; Kubernetes starts it again, less and less often.
set -euo pipefail
broker=${1:-braid-kafka-bootstrap:9093}
user=${USER_SECRET:-/kafka-user}/sasl.jaas.config
ca=${CA_SECRET:-/kafka-ca}/ca.crt
file=${CLIENT_FILE:-/kafka/client.properties}
deadline=$((SECONDS + ${WAIT_SECONDS:-300}))

until [ -s "$user" ] && [ -s "$ca" ] && timeout 5 bash -c ": > '/dev/tcp/${broker/://}'" 2>/dev/null; do
  if [ $SECONDS -ge $deadline ]; then
    echo "no Kafka at $broker, or no $user, or no $ca: is Strimzi's operator running?" >&2
    exit 1
  fi
  sleep 1
done

umask 077
{
  echo security.protocol=SASL_SSL
  echo sasl.mechanism=SCRAM-SHA-512
  # In a file of properties a backslash is written twice, and a line break as \n.
  echo "sasl.jaas.config=$(sed 's/\\/&&/g' "$user")"
  echo ssl.truststore.type=PEM
  echo "ssl.truststore.certificates=$(sed 's/$/\\n/' "$ca" | tr -d '\n')"
} >"$file"
