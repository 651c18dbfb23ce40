import { EXPORT_VERSION, type ExportEnd, type ExportedEvent, type ExportFilters, type ExportManifest } from './export-format.ts'

/** A line of an export by its kind; null for any other text. */
export type ReadLine =
  | { readonly kind: 'manifest'; readonly manifest: ExportManifest }
  | { readonly kind: 'event'; readonly event: ExportedEvent }
  | { readonly kind: 'skipped'; readonly from: number; readonly to: number; readonly hashes: readonly string[] }
  | { readonly kind: 'fault'; readonly fault: string }
  | { readonly kind: 'end'; readonly end: ExportEnd['end'] }

type Fields = { readonly [key: string]: unknown }

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function readLine(bytes: Uint8Array): ReadLine | null {
  let line: unknown
  try {
    line = JSON.parse(decoder.decode(bytes))
  } catch {
    return null
  }
  if (!isObject(line)) return null
  if ('leaf' in line) return isEvent(line) ? { kind: 'event', event: line } : null
  if ('skipped' in line) return readSkipped(line['skipped'])
  if ('placard_export' in line) return isManifest(line) ? { kind: 'manifest', manifest: line } : null
  if ('fault' in line) return typeof line['fault'] === 'string' ? { kind: 'fault', fault: line['fault'] } : null
  return isEnd(line) ? { kind: 'end', end: line.end } : null
}

/** Whether a line is the signed end, which no hash of the lines covers. */
export const isEndLine = (bytes: Uint8Array): boolean => START_OF_END.every((letter, i) => bytes[i] === letter)
const START_OF_END = new TextEncoder().encode('{"end":')

function readSkipped(skipped: unknown): ReadLine | null {
  if (!isObject(skipped)) return null
  const { from, to, hashes } = skipped
  return isCount(from) && isCount(to) && from < to && areTexts(hashes) ? { kind: 'skipped', from, to, hashes } : null
}

const isEvent = (line: Fields): line is ExportedEvent =>
  isCount(line['leaf']) &&
  isCount(line['version']) &&
  isCount(line['schema_version']) &&
  areTexts(['position', 'stream', 'event_id', 'type', 'data', 'metadata', 'hash'].map((key) => line[key])) &&
  /^\d{1,20}$/.test(String(line['position']))

function isManifest(line: Fields): line is ExportManifest {
  const { leaves, filters, completeness } = line
  return (
    line['placard_export'] === EXPORT_VERSION &&
    areTexts([line['created_at'], line['checkpoint']]) &&
    areTexts(line['keys']) &&
    isObject(leaves) &&
    isCount(leaves['from']) &&
    isCount(leaves['to']) &&
    leaves['from'] <= leaves['to'] &&
    isObject(filters) &&
    isFilters(filters) &&
    (completeness === 'range' || completeness === 'streams' || completeness === 'none') &&
    typeof line['personal'] === 'boolean'
  )
}

const isFilters = (filters: Fields): filters is ExportFilters =>
  ['white_label', 'space', 'actor', 'from', 'to'].every((key) => filters[key] === null || typeof filters[key] === 'string') &&
  (filters['types'] === null || areTexts(filters['types']))

function isEnd(line: Fields): line is ExportEnd & Fields {
  const { end } = line
  return (
    isObject(end) &&
    isCount(end['lines']) &&
    isCount(end['events']) &&
    areTexts(end['blocks']) &&
    typeof end['note'] === 'string' &&
    (end['next'] === null || typeof end['next'] === 'string')
  )
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
const areTexts = (values: unknown): values is readonly string[] =>
  Array.isArray(values) && values.every((value) => typeof value === 'string')
