import { expect, it } from 'vitest'
import { TABLE_GROUPINGS } from '#domain/reports/groupings'
import { ACCOUNT_TYPES } from '#domain/account/settings'
import { codesOf, CUSTOMER_ATTRIBUTES, DEVICE_TYPES } from '#domain/campaign/content/options'
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
  ['CampaignInput', 'placement', codesOf(DEVICE_TYPES)],
  ['CampaignInput', 'targeting', CUSTOMER_ATTRIBUTES],
  ['CampaignInput', 'bidding_strategy', ['contains', 'does_not_contain']],
  ['Campaign', 'status_key', STATUS_KEYS],
] as const)('the API document lists the values of %s.%s', (name, field, values) => {
  const { components } = openApi(AREAS, '0') as {
    components: { schemas: Record<string, { properties: Record<string, Schema> }> }
  }
  expect(listsIn(components.schemas[name]?.properties[field])).toContainEqual(values)
})

it('the API document lists the types of an account', () => expect(listsIn(openApi(AREAS, '0'))).toContainEqual(ACCOUNT_TYPES))

/** Names of fields that speak of a set, and hold any text or number after all. */
const OPEN: Readonly<Record<string, string>> = {
  by: 'the id of a person',
  campaign_category_keys: 'keys of a dictionary',
  category: 'a category of a publisher, in words',
  category_keys: 'keys of a dictionary',
  cause: 'the type of an event, or what moved money in words',
  content_type: 'a media type',
  created_by: 'the id of a person',
  creative_type: 'a kind of a publisher, in words',
  currency: 'a code of ISO 4217',
  field: 'the path of a field',
  key: 'a name or a secret',
  kind: 'a kind of jobs, which every subject adds to',
  language: 'a code of ISO 639',
  order: 'a place in a list',
  policyTopic: 'a policy of an exchange',
  reason: 'in words',
  role: 'the role of a process, or of a person at the time of an event',
  scimType: 'a word of RFC 7644',
  scope: 'scopes with spaces between them',
  sort: 'a column of the list, which the page knows',
  status: 'a status of HTTP',
  topic: 'a policy in words',
  type: 'the type of an event',
  verifier_key: 'a public key',
}
const OF_SETS =
  /(^|_)(keys?|type|kind|status|state|roles?|field|order|sort|by|mode|method|level|granularity|reason|topic|category|currency|language|locale|format|scope|cause|goal|environment)$|[a-z](Type|Topic)$/
const isOpen = (schema: Schema): boolean => {
  const {
    type,
    enum: values,
    const: value,
    anyOf,
    items,
  } = schema as Schema & { readonly anyOf?: readonly Schema[]; readonly items?: Schema }
  if (anyOf !== undefined) return anyOf.some(isOpen)
  if (type === 'array' && items !== undefined) return isOpen(items)
  return (type === 'string' || type === 'number' || type === 'integer') && values === undefined && value === undefined
}

function openFields(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return []
  const { properties } = part as { readonly properties?: Readonly<Record<string, Schema>> }
  const own = Object.entries(properties ?? {}).flatMap(([name, schema]) => (OF_SETS.test(name) && isOpen(schema) ? [name] : []))
  return [...own, ...Object.values(part).flatMap(openFields)]
}

it('the API document lists the values of every field that is named after a set', () => {
  expect([...new Set(openFields(openApi(AREAS, '0')))].toSorted()).toEqual(Object.keys(OPEN))
})
