import { MEASURES, type Fact, type Measure } from '../delivery/batch.ts'

/** A conversion that a campaign brought, as the fact store counts it. */
export type Conversion = ConversionDimensions & {
  readonly campaign_id: string
  readonly space_id: string
  readonly whitelabel_id: string
  /** ISO 8601 UTC. */
  readonly time: string
  /** True for the first one of its visitor, campaign and UTC day. */
  readonly unique: boolean
  /** True while it counts apart (fine print 111). */
  readonly unconfirmed: boolean
}

export type ConversionDimensions = {
  readonly creative_id: string
  readonly size: string
  readonly device_type_key: number
  readonly os: string
  readonly country: string
}

const NONE = Object.fromEntries(MEASURES.map((measure) => [measure, 0])) as { [measure in Measure]: number }

/** One conversion in the hour of its event. It charges nothing. */
export function conversionFact({ time, unique, unconfirmed, ...of }: Conversion): Fact {
  return {
    ...NONE,
    ...of,
    hour: `${time.slice(0, 13)}:00:00.000Z`,
    exchange: '',
    publisher: '',
    app_or_site: '',
    region: '',
    city: '',
    conversions: unconfirmed ? 0 : 1,
    unique_conversions: unique && !unconfirmed ? 1 : 0,
    unconfirmed_conversions: unconfirmed ? 1 : 0,
    spent: 0,
    billed: 0,
    overdelivered: 0,
  }
}

/** Takes back what an unconfirmed conversion added: it is confirmed, and counts as a conversion. */
export const confirmationFact = (conversion: Omit<Conversion, 'unique' | 'unconfirmed'>): Fact => ({
  ...conversionFact({ ...conversion, unique: false, unconfirmed: true }),
  unconfirmed_conversions: -1,
})
