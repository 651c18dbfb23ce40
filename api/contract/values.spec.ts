import { expect, it } from 'vitest'
import { TABLE_GROUPINGS } from '#contract/reports'
import { ACCOUNT_TYPES } from '#domain/account/settings'
import { STATUS_ALL, STATUS_KEYS } from '#domain/campaign/status/status-keys'
import { METRICS, REPORT_DEVICES } from '#domain/reports/figures'
import { AREAS } from '#api/areas/index'
import { openApi } from '#api/http/openapi'

type Schema = { readonly enum?: readonly unknown[]; readonly [part: string]: unknown }

/** Every list of values in a part of a schema. */
function listsIn(part: unknown): readonly (readonly unknown[])[] {
  if (typeof part !== 'object' || part === null) return []
  const own = (part as Schema).enum
  return [...(Array.isArray(own) ? [own] : []), ...Object.values(part).flatMap(listsIn)]
}

it.each([
  ['ReportTableInput', 'grouping', TABLE_GROUPINGS],
  ['ReportTableInput', 'order_field', ['name', ...METRICS]],
  ['ReportTableInput', 'device_type_keys', REPORT_DEVICES],
  ['ReportInput', 'included_metrics', METRICS],
  ['ReportInput', 'device_type_key', REPORT_DEVICES],
  ['ReportInput', 'granularity_type_key', [1, 2]],
  ['CampaignListInput', 'status_filter', [...STATUS_KEYS, STATUS_ALL]],
] as const)('the API document lists the values of %s.%s', (name, field, values) => {
  const { components } = openApi(AREAS, '0') as {
    components: { schemas: Record<string, { properties: Record<string, Schema> }> }
  }
  expect(listsIn(components.schemas[name]?.properties[field])).toContainEqual(values)
})

it('the API document lists the types of an account', () => expect(listsIn(openApi(AREAS, '0'))).toContainEqual(ACCOUNT_TYPES))
