import { describe, expect, it } from 'vitest'
import { emptyForm, toPayload } from './form-mapping.ts'
import { campaignForm, type CampaignFormValues } from './form-schema.ts'
import { bannerFault, fits, nameFromFile } from './tabs/banner/banner-check.ts'

const filled = (patch: Partial<CampaignFormValues>) => ({ ...emptyForm('conversion'), country: 'AM', ...patch })
const faults = (patch: Partial<CampaignFormValues>) =>
  campaignForm.safeParse(filled(patch)).error?.issues.map(({ message }) => message) ?? []
const banner = (creativeName: string) => ({
  id: null,
  width: 300,
  height: 250,
  fileId: 'f',
  url: null,
  creativeName,
})

describe('the form', () => {
  it('asks for a name and a country', () => {
    expect(faults({ name: ' ', country: '' })).toEqual(['required', 'required'])
    expect(faults({})).toEqual([])
  })

  it.each(['utm_source', 'utm_medium', 'utm_campaign'])('refuses a click link with %s', (tag) => {
    expect(faults({ productUrl: `https://x.example/?a=1&${tag}=b` })).toEqual(['utm'])
  })

  it.each([
    ['', null],
    ['0', 0],
    ['12.5', 12.5],
    ['1,500', 1500],
    ['1e3', 1000],
    ['9000000000', 9_000_000_000],
    ['0.000001', 0.000001],
  ])('sends a budget of "%s" as %s', (budget, sent) => {
    expect(faults({ budget })).toEqual([])
    expect(toPayload(filled({ budget }), 'conversion').budget).toBe(sent)
  })

  it.each([
    ['-1', 'budget'],
    ['abc', 'budget'],
    ['1e', 'budget'],
    ['1.2.3', 'form:errors.amountUnclear'],
    ['12,5', 'form:errors.amountUnclear'],
    ['9000000001', 'form:errors.amountTooLarge'],
    ['123456789012', 'form:errors.amountTooLarge'],
    ['0.1234567', 'form:errors.amountTooPrecise'],
  ])('refuses a budget of "%s" with %s', (budget, message) => {
    expect(faults({ budget })).toEqual([message])
  })

  it('names creatives by their rule', () => {
    const names = (text: string) => faults({ banners: [banner(text)] })
    expect(names('Autumn_300x250.v-1')).toEqual([])
    expect(names('')).toContain('creativeNameRequired')
    expect(names('a b')).toEqual(['creativeNameChars'])
    expect(names('a'.repeat(76))).toEqual(['creativeNameLong'])
  })

  it('sends dates as days, an empty one as null, and one address for both links', () => {
    const payload = toPayload(filled({ startDate: '2026-12-01', productUrl: ' https://x.example/ ' }), 'conversion')
    expect(payload).toMatchObject({ campaign_start_at: '2026-12-01', campaign_end_at: null, product_url: 'https://x.example/' })
    expect(payload.bidding_strategy).toMatchObject({
      type: 'conversion',
      goal: 'WEB_STANDARD_CONVERSION',
      click_url: 'https://x.example/',
    })
  })
})

describe('a banner file', () => {
  const file = (type: string, bytes: number) => new File([new Uint8Array(bytes)], 'a', { type })
  const target = { width: 300, height: 250 }
  const measured = (width: number, height: number) => async () => ({ width, height })

  it('a banner file must be an image under 500000 bytes of the size, or larger with its proportions', async () => {
    await expect(bannerFault(file('text/html', 1), target, measured(300, 250))).resolves.toBe('creatives:banner.wrongType')
    await expect(bannerFault(file('image/png', 500_000), target, measured(300, 250))).resolves.toBe('faults:imageBytes')
    await expect(bannerFault(file('image/png', 499_999), target, measured(299, 251))).resolves.toBe(
      'faults:bannerDimensions?width=300&height=250',
    )
    // It can be cut to the size.
    await expect(bannerFault(file('image/png', 900_000), target, measured(300, 251))).resolves.toBeNull()
    await expect(bannerFault(file('image/png', 499_999), target, measured(600, 500))).resolves.toBeNull()
    expect(fits({ width: 150, height: 125 }, target)).toBe(false)
  })

  it('lends its name to the creative as far as the rule goes', () => {
    expect(nameFromFile('Осень sale (1).final.png')).toBe('_sale_1.final')
  })
})
