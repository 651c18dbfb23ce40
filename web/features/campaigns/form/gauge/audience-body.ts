import type { CampaignFormValues } from '../form-schema.ts'
import { targetingInput } from '../tabs/targeting/targeting-slice.ts'

/** What the estimate is asked with (campaign.md §7). Automatic targeting describes nobody: only the places hold. */
export function audienceBody(values: CampaignFormValues) {
  const { targeting, geography, country } = values
  const { automaticTargeting, fromAge, toAge, ...described } = targetingInput(targeting)
  const inRange = (age: number) => Number.isInteger(age) && age >= 18 && age <= 65
  // While an age is being typed the estimate goes on without it.
  const ages = { ...(inRange(fromAge) ? { fromAge } : {}), ...(inRange(toAge) ? { toAge } : {}) }
  return {
    country: country === '' ? null : country,
    city_ids: geography.cities,
    ...(automaticTargeting ? {} : { ...described, ...ages }),
    campaign_id: null,
    location_option_key: '1',
    languages: [],
    banners: [],
    behaviors: [],
    locations: [],
    websites: [],
  }
}

/** Tells apart every state of the form that asks for a new estimate: all but what only names, dates and links. */
export function gaugeKey(values: CampaignFormValues): string {
  const { name: _name, startDate: _start, endDate: _end, productUrl: _url, goalFields: _fields, ...rest } = values
  return JSON.stringify(rest)
}
