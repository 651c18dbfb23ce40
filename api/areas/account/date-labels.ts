import { DATE_LABELS } from '#contract/account-list'

type Day = string | number | null | undefined
type Asked = {
  readonly from_date?: Day
  readonly to_date?: Day
  readonly dateLabel?: string | null | undefined
  readonly dateCustomRange?: readonly Day[] | null | undefined
}

const DAY_MS = 86_400_000
type Label = (typeof DATE_LABELS)[number]

/** The days of a label, as UTC days around now. */
function labelled(label: Label, now: string): { readonly from_date: string; readonly to_date: string } {
  const today = now.slice(0, 10)
  const before = (days: number) => new Date(Date.parse(today) - days * DAY_MS).toISOString().slice(0, 10)
  const month = today.slice(0, 7)
  const lastOfPast = new Date(Date.parse(`${month}-01`) - DAY_MS).toISOString().slice(0, 10)
  const starts: Readonly<Record<Label, readonly [string, string]>> = {
    today: [today, today],
    yesterday: [before(1), before(1)],
    last_7_days: [before(6), today],
    last_30_days: [before(29), today],
    last_365_days: [before(364), today],
    this_month: [`${month}-01`, today],
    past_month: [`${lastOfPast.slice(0, 7)}-01`, lastOfPast],
  }
  const [from_date, to_date] = starts[label]
  return { from_date, to_date }
}

/** The label in a text as screens show it, such as `Last 7 days`; undefined for any other text, which filters nothing (decisions G-078). */
const labelIn = (text: string | null | undefined): Label | undefined => {
  const plain = text
    ?.trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_')
  return DATE_LABELS.find((known) => known === plain)
}
const isSet = (day: Day) => day !== null && day !== undefined && day !== ''

/** The days that a list is filtered by: from_date and to_date, or else those of the label, or else the custom range. */
export function daysOf({ from_date, to_date, dateLabel, dateCustomRange }: Asked, now: string) {
  if (isSet(from_date) || isSet(to_date)) return { from_date: from_date ?? null, to_date: to_date ?? null }
  const label = labelIn(dateLabel)
  if (label !== undefined) return labelled(label, now)
  return { from_date: dateCustomRange?.[0] ?? null, to_date: dateCustomRange?.[1] ?? null }
}
