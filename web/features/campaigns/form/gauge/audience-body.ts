import type { CampaignFormValues } from '../form-schema.ts'
import { targetingFields } from '../tabs/targeting/targeting-slice.ts'

/** Request body of the estimate (campaigns.md §7). With automatic targeting it contains only the places. */
export function audienceBody(values: CampaignFormValues) {
  const { targeting, geography, country } = values
  const { automaticTargeting, fromAge, toAge, ...described } = targetingFields.send(targeting, null)
  const inRange = (age: number) => Number.isInteger(age) && age >= 18 && age <= 65
  // An incomplete age is omitted from the estimate.
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

/** Returns a key of the form values that affect the estimate: all but names, dates and links. */
export function gaugeKey(values: CampaignFormValues): string {
  const { name: _name, startDate: _start, endDate: _end, productUrl: _url, goalFields: _fields, ...rest } = values
  return JSON.stringify(rest)
}
