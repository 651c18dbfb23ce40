import { ClickHouseError } from '@clickhouse/client'

/** Codes of the server: it cannot work now, and the same statement may succeed later. */
const BUSY = new Set([
  '81', // UNKNOWN_DATABASE
  '159', // TIMEOUT_EXCEEDED
  '201', // QUOTA_EXCEEDED
  '202', // TOO_MANY_SIMULTANEOUS_QUERIES
  '209', // SOCKET_TIMEOUT
  '210', // NETWORK_ERROR
  '236', // ABORTED
  '241', // MEMORY_LIMIT_EXCEEDED
  '242', // TABLE_IS_READ_ONLY
  '243', // NOT_ENOUGH_SPACE
  '252', // TOO_MANY_PARTS
  '279', // ALL_CONNECTION_TRIES_FAILED
  '285', // TOO_FEW_LIVE_REPLICAS
  '286', // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  '289', // REPLICA_IS_NOT_IN_QUORUM
  '319', // UNKNOWN_STATUS_OF_INSERT
  '394', // QUERY_WAS_CANCELLED
  '497', // ACCESS_DENIED
  '516', // AUTHENTICATION_FAILED
  '745', // SERVER_OVERLOADED
  '999', // KEEPER_EXCEPTION
])

/** Whether the server refused a statement only for now. */
export const isBusy = (error: unknown): boolean => error instanceof ClickHouseError && BUSY.has(error.code)

/** Whether no answer of the server came: the connection failed, or something else answers in its place. */
export function isAbsence(error: unknown): boolean {
  if (error instanceof ClickHouseError || !(error instanceof Error) || error instanceof TypeError) return false
  return 'code' in error || /timeout|socket|aborted|Code: |HTTP|<html/i.test(error.message)
}

/** Cause of a failed first question, to complete "FACTS_URL: …". Never repeats the server's text, which may name the user. */
export function causeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return CAUSES.find(([codes]) => codes.test(code))?.[1] ?? 'what answers there is not a ClickHouse server that can be used'
}

const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'ClickHouse refuses the connection'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'its host is unknown'],
  [/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/, 'the certificate of ClickHouse is not valid here'],
  [/^(EPROTO|ERR_SSL)/, 'the server does not speak TLS at this port: use http://, or the port of https'],
  [/^(516|192|193|194)$/, 'ClickHouse does not accept this user and password'],
  [/^(497|164)$/, 'the user has no right to create, read and write tables in this database'],
  [/^81$/, 'ClickHouse has no such database'],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, 'ClickHouse cannot be reached'],
]
