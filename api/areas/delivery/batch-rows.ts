import { EXCHANGES } from '#domain/campaign/content/options'
import { readHour, unlikelyMeasures, type DeliveryRow } from '#domain/delivery/batch'
import { REPORT_DEVICES } from '#domain/reports/figures'
import type { Fault } from '#domain/kit/errors'
import { toMicros } from '#domain/kit/money'
import type { z } from '#contract/zod'
import type { deliveryBatch } from '#contract/delivery'

type SentRow = z.output<typeof deliveryBatch.input>['rows'][number]

/** Rows from the wire, or every fault of theirs: code 2 at `rows[i].field`, counting from zero. */
export function readRows(sent: readonly SentRow[]): { readonly rows: readonly DeliveryRow[]; readonly faults: readonly Fault[] } {
  const faults: Fault[] = []
  const rows = sent.map((row, i): DeliveryRow => {
    const wrong = (field: keyof SentRow, message: string) => faults.push({ path: `rows[${i}].${field}`, code: 2, message })
    const hour = readHour(row.hour)
    const spent = toMicros(row.spent)
    if (hour === null) wrong('hour', 'Must be the start of a UTC hour')
    if (spent === null || spent < 0) wrong('spent', 'Must be an amount of at most six decimals, zero or more')
    if (!(REPORT_DEVICES as readonly number[]).includes(row.device_type_key))
      wrong('device_type_key', 'This value is not one of those allowed')
    if (row.exchange !== '' && !(EXCHANGES as readonly string[]).includes(row.exchange))
      wrong('exchange', 'This value is not one of those allowed')
    if (row.clicks > 0 && row.impressions === 0) wrong('clicks', 'There are no clicks without impressions')
    else for (const measure of unlikelyMeasures(row)) wrong(measure, 'This is too many for the impressions of the row')
    return { ...row, unconfirmed_conversions: 0, hour: hour ?? '', spent: spent ?? 0 }
  })
  return { rows, faults }
}
