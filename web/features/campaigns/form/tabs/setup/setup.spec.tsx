import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { QueryClient } from '@tanstack/react-query'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { appPromotion } from '#contract/reference'
import { ATTRIBUTION_TEMPLATE } from '#domain/campaign/content/attribution'
import { DEFAULT_CONTENT } from '#domain/campaign/content/content'
import { GOALS_BY_TYPE } from '#domain/campaign/content/options'
import { refusal, signedInServer, type FakeServer } from '@/test/fake-server'
import { campaignWith, renderInForm } from '@/test/campaign-form'
import { emptyForm, toForm, toPayload } from '@/features/campaigns/form/form-mapping'
import { BasicInfoTab } from './basic-info-tab.tsx'
import { setupSlice } from './setup-slice.ts'

const strategy = (type: string, goal: string | null, more: object = {}): Campaign['bidding_strategy'] => ({
  ...structuredClone(campaignWith({}).bidding_strategy),
  type,
  goal,
  ...more,
})
const withGoal = (type: string, goal: string | null) => campaignWith({ bidding_strategy: strategy(type, goal) })

describe('the setup of a campaign', () => {
  // covers CAM-FORM-05 CAM-FORM-35 CAM-FORM-36 CAM-FORM-37 CAM-FORM-38 CAM-FORM-39 CAM-FORM-40 CAM-FORM-41
  it('asks for name, country, dates, budget, a bid of one’s own and the landing page', () => {
    renderInForm(<BasicInfoTab />, campaignWith({}))
    for (const label of ['Campaign name', 'Country', 'Start date', 'End date', 'Daily budget', 'Landing page URL'])
      expect(screen.getByLabelText(label)).toBeEnabled()
    expect(screen.getByRole('switch', { name: 'Set the bid yourself' })).not.toBeChecked()
    expect(screen.queryByLabelText('Bid per result')).toBeNull()
  })

  // covers CAM-ENT-48 CAM-ENT-53
  it('begins with a name, and with tags for source, medium, campaign, size and visitor', () => {
    const values = emptyForm('awareness')
    expect(values.name).toBe('New Campaign')
    for (const tag of ['{SOURCE}', '{MEDIUM}', '{CAMPAIGN_NAME}', '{CREATIVE_SIZE}', '{ANONYMOUS_ID}'])
      expect(values.setup.tags).toContain(tag)
  })

  // covers CAM-FORM-40
  it('a bid of one’s own has to be a number, and is sent as one', async () => {
    const { form } = renderInForm(<BasicInfoTab />, campaignWith({}))
    await userEvent.click(screen.getByRole('switch', { name: 'Set the bid yourself' }))
    const bid = screen.getByLabelText('Bid per result')
    await userEvent.type(bid, 'much')
    await userEvent.tab()
    expect(await screen.findByText('The field value needs to be a number. Make sure to enter a numeric value.')).toBeVisible()
    await userEvent.clear(bid)
    await userEvent.type(bid, '0.75')
    expect(toPayload(form().getValues(), campaignWith({}))).toMatchObject({ manual_cpx: true, user_cpx: 0.75 })
    await userEvent.click(screen.getByRole('switch', { name: 'Set the bid yourself' }))
    expect(toPayload(form().getValues(), campaignWith({}))).toMatchObject({ manual_cpx: false, user_cpx: null })
  })

  const SPECIFIC = /Conversion page|App platform|Custom action|Secondary events|What counts/

  // covers CAM-FORM-42 CAM-VAL-35
  it('asks for what the goal needs, and for nothing of it before there is a goal', () => {
    const asked = (type: string, goal: string | null) => {
      cleanup()
      renderInForm(<BasicInfoTab />, withGoal(type, goal))
      return document.body.textContent
    }
    expect(asked('consideration', null)).not.toMatch(SPECIFIC)
    expect(asked('consideration', 'APP_INSTALLS')).toMatch(/App platform.*Measurement partner.*App bundle ID/)
    expect(asked('conversion', 'WEB_STANDARD_CONVERSION')).toMatch(/What counts as a conversion.*Conversion page URL/)
    expect(asked('awareness', 'ENHANCED_EXPOSURE')).not.toMatch(SPECIFIC)
  })

  it('a conversion is a page, or a parameter in an address', async () => {
    const campaign = withGoal('conversion', 'WEB_STANDARD_CONVERSION')
    const { form } = renderInForm(<BasicInfoTab />, campaign)
    await userEvent.selectOptions(screen.getByLabelText('What counts as a conversion'), 'A parameter in the address')
    expect(screen.queryByLabelText('Conversion page URL')).toBeNull()
    await userEvent.type(screen.getByLabelText('Domain'), 'shop.example')
    await userEvent.selectOptions(screen.getByLabelText('Condition'), 'Address does not contain')
    await userEvent.type(screen.getByLabelText('Value'), 'cancelled')
    expect(toPayload(form().getValues(), campaign).bidding_strategy?.website_promotion).toMatchObject({
      url_type: 'parameter',
      optionDomain: 'shop.example',
      optionCondition: 'does_not_contain',
      optionValue: 'cancelled',
    })
  })

  // covers CAM-VAL-34 CAM-VAL-37
  it('takes up to four secondary events, for the custom event of a site only', async () => {
    const campaign = withGoal('conversion', 'WEBSITE_CUSTOM_EVENT')
    const { form } = renderInForm(<BasicInfoTab />, campaign)
    const add = screen.getByRole('button', { name: 'Add an event' })
    for (let n = 1; n <= 4; n++) {
      expect(add).toBeEnabled()
      await userEvent.click(add)
      await userEvent.type(screen.getByLabelText(`Event ${n}`), `event ${n}`)
    }
    expect(add).toBeDisabled()
    await userEvent.click(screen.getByRole('button', { name: 'Secondary events: remove row 2' }))
    expect(add).toBeEnabled()
    expect(toPayload(form().getValues(), campaign).bidding_strategy?.website_promotion?.secondary_events).toEqual([
      'event 1',
      'event 3',
      'event 4',
    ])
    for (const [type, goals] of Object.entries(GOALS_BY_TYPE))
      for (const goal of goals) {
        if (goal === 'WEBSITE_CUSTOM_EVENT') continue
        cleanup()
        renderInForm(<BasicInfoTab />, withGoal(type, goal))
        expect(screen.queryByText('Secondary events')).toBeNull()
      }
  })
})

describe('the app of an app campaign', () => {
  const open = (server: FakeServer) => {
    server.on(appPromotion, ({ body }) =>
      (body as { bundle_id: string }).bundle_id === 'com.whatsapp'
        ? {
            app_icon: null,
            app_name: 'WhatsApp Messenger',
            body: null,
            price: '0',
            star_rating: 4.2,
            call_to_action: 'Install',
            advertiser: 'WhatsApp LLC',
            min_os_version: '5.0',
          }
        : refusal(1311, 400),
    )
    return renderInForm(<BasicInfoTab />, withGoal('consideration', 'APP_INSTALLS'), false, { client: new QueryClient() })
  }
  const enter = async (bundle: string) => {
    await userEvent.selectOptions(screen.getByLabelText('App platform'), 'android')
    await userEvent.type(screen.getByLabelText('App bundle ID'), bundle)
  }

  it('the app of an app campaign is looked up by its bundle id, and fills an empty name', async () => {
    const server = signedInServer()
    open(server)
    await enter('com.whatsapp')
    expect(await screen.findByText('WhatsApp LLC · Free · 4.2 of 5 stars · from version 5.0')).toBeVisible()
    expect(screen.getByLabelText('App name')).toHaveValue('WhatsApp Messenger')
    // Once it is typed to its end, not at every letter.
    expect(server.calls(appPromotion).map(({ body }) => body)).toEqual([
      { app_platform_type: 'android', bundle_id: 'com.whatsapp' },
    ])
  })

  it('the app of an app campaign that the catalogue does not know is named before saving, and a name that was typed stays', async () => {
    open(signedInServer())
    await userEvent.type(screen.getByLabelText('App name'), 'Mine')
    await enter('com.unknown')
    expect(await screen.findByText('App does not exist in the app store')).toBeVisible()
    expect(screen.getByLabelText('App name')).toHaveValue('Mine')
  })
})

it('an audio campaign has no landing page to enter', () => {
  renderInForm(<BasicInfoTab />, withGoal('other', 'AUDIO_ADVERTISING'), false, { tabs: { audio: true } })
  expect(screen.queryByLabelText('Landing page URL')).toBeNull()
  expect(screen.getByText('Audio ads are listened to and have no landing page.')).toBeVisible()
})

describe('attribution', () => {
  const open = async (campaign: Campaign) => {
    const shown = renderInForm(<BasicInfoTab />, campaign)
    await userEvent.click(screen.getByRole('button', { name: /More settings/ }))
    return shown
  }

  // covers CAM-FORM-19 CAM-FORM-43
  it('attribution has up to ten parameters among more settings', async () => {
    const campaign = campaignWith({})
    const { form } = await open(campaign)
    const add = screen.getByRole('button', { name: 'Add a parameter' })
    for (let n = 1; n <= 10; n++) await userEvent.click(add)
    expect(add).toBeDisabled()
    await userEvent.type(screen.getByLabelText('Name of parameter 3'), 'aff_id')
    await userEvent.selectOptions(screen.getByLabelText('Value of parameter 3'), '{CLICK_ID}')
    expect(toPayload(form().getValues(), campaign).attribution).toEqual([{ name: 'aff_id', value: '{CLICK_ID}' }])
    await userEvent.selectOptions(screen.getByLabelText('Value of parameter 3'), 'Own text')
    await userEvent.type(screen.getByLabelText('Value of parameter 3: text'), 'partner 7')
    expect(toPayload(form().getValues(), campaign).attribution).toEqual([{ name: 'aff_id', value: 'partner 7' }])
  })

  it('shows the tags of a shop of one page before its fragment, and generates those again that were stored behind it', async () => {
    const page = 'https://a.example/#/sale'
    const campaign = campaignWith({ product_url: page, attribution_tags: `${page}?${ATTRIBUTION_TEMPLATE}` })
    const { form } = await open(campaign)
    expect(screen.getByTestId('tags-preview')).toHaveTextContent(`https://a.example/?${ATTRIBUTION_TEMPLATE}#/sale`)
    expect(toPayload(form().getValues(), campaign).attribution_tags).toBeNull()
  })

  it('offers the tags by name, as a list that follows the landing page until it is changed', async () => {
    const campaign = campaignWith({ product_url: 'https://a.example', attribution_tags: null })
    const { form } = await open(campaign)
    const preview = () => screen.getByTestId('tags-preview').textContent
    expect(preview()).toMatch(/^https:\/\/a\.example\?utm_source=\{SOURCE\}&/)
    await userEvent.type(screen.getByLabelText('Landing page URL'), '/b')
    expect(preview()).toMatch(/^https:\/\/a\.example\/b\?utm_source/)
    expect(toPayload(form().getValues(), campaign).attribution_tags).toBeNull()
    const tag = screen.getByLabelText('Value of tag 5')
    expect([...tag.querySelectorAll('option:not([hidden])')].map(({ textContent }) => textContent)).toEqual([
      '{CLICK_ID}',
      '{CAMPAIGN_NAME}',
      '{CID}',
      '{SID}',
      '{CRID}',
      '{CREATIVE_TYPE}',
      '{CREATIVE_SIZE}',
      '{ANONYMOUS_ID}',
      'Own text',
    ])
    await userEvent.selectOptions(tag, '{CLICK_ID}')
    for (const row of [4, 3, 2, 1])
      await userEvent.click(screen.getByRole('button', { name: `Tracking tags: remove row ${row}` }))
    await userEvent.click(screen.getByRole('button', { name: 'Add a tag' }))
    await userEvent.type(screen.getByLabelText('Name of tag 2'), 'cr&')
    await userEvent.selectOptions(screen.getByLabelText('Value of tag 2'), '{CRID}')
    await userEvent.click(screen.getByRole('button', { name: 'Add a tag' }))
    expect(toPayload(form().getValues(), campaign).attribution_tags).toBe('anonymous_id={CLICK_ID}&cr%26={CRID}')
    await userEvent.click(screen.getByRole('button', { name: 'Use the platform’s tags' }))
    expect(toPayload(form().getValues(), campaign).attribution_tags).toBeNull()
  })

  it('sends no address with tags that were stored with one', async () => {
    const campaign = campaignWith({ product_url: 'https://b.example', attribution_tags: 'https://a.example?x={CID}' })
    const { form } = await open(campaign)
    expect(toPayload(form().getValues(), campaign).attribution_tags).toBe('https://a.example?x={CID}')
    await userEvent.selectOptions(screen.getByLabelText('Value of tag 1'), '{SID}')
    expect(toPayload(form().getValues(), campaign).attribution_tags).toBe('x={SID}')
  })
})

describe('the country', () => {
  // covers CAM-FORM-51 CAM-FORM-52
  it('the country cannot be changed once it is there', () => {
    renderInForm(<BasicInfoTab />, campaignWith({ country: 'EG' }))
    expect(screen.getByLabelText('Country')).toBeDisabled()
  })

  it('the country is not sent again, so that it never changes', () => {
    const campaign = campaignWith({ country: 'EG' })
    expect(toPayload(toForm(campaign), campaign)).not.toHaveProperty('country')
  })
})

describe('the mapping between the wire and the setup', () => {
  const text = fc.string({ maxLength: 20 })
  const own = text.filter((value) => value.trim() === value && value !== '')

  it('an untouched setup goes back as it came', () => {
    fc.assert(
      fc.property(
        fc.record({
          manual: fc.boolean(),
          bid: fc.nat({ max: 1_000_000 }).map((micros) => micros / 10_000),
          attribution: fc.array(fc.record({ name: own, value: own }), { maxLength: 10 }),
          attribution_tags: fc.option(own),
          product_url: fc.option(fc.webUrl()),
        }),
        ({ manual, bid, ...wire }) => {
          const campaign = campaignWith({ ...wire, manual_cpx: manual, user_cpx: bid })
          const sent = setupSlice.toInput(setupSlice.fromCampaign(campaign), campaign)
          expect(sent).toEqual({
            manual_cpx: manual,
            user_cpx: bid,
            attribution: wire.attribution,
            // Null has the same tags made again.
            attribution_tags: wire.attribution_tags,
          })
        },
      ),
    )
  })

  // covers CAM-SAVE-11 CAM-SAVE-12
  it('a new campaign is sent with a daily budget and as type 1', () => {
    expect(toPayload(emptyForm('awareness'), 'awareness')).toMatchObject({ budget_type_key: 2, campaign_type_key: 1 })
  })

  it('starts from what the server would start from', () => {
    expect(toPayload({ ...emptyForm('awareness'), name: DEFAULT_CONTENT.name }, 'awareness')).toMatchObject({
      manual_cpx: DEFAULT_CONTENT.manual_cpx,
      attribution: DEFAULT_CONTENT.attribution,
      attribution_tags: null,
    })
  })

  it('places the server’s faults on their fields', () => {
    const values = setupSlice.empty('awareness')
    expect(setupSlice.fieldOf('user_cpx', values)).toBe('bid')
    expect(setupSlice.fieldOf('attribution[2].name', values)).toBe('attribution')
    expect(setupSlice.fieldOf('bidding_strategy.website_promotion.secondary_events', values)).toBe('secondaryEvents')
    expect(setupSlice.fieldOf('name', values)).toBeNull()
  })
})

it('nothing of the setup can be changed by those who only read', () => {
  renderInForm(<BasicInfoTab />, withGoal('conversion', 'WEBSITE_CUSTOM_EVENT'), true)
  expect(screen.queryByRole('button', { name: 'Add an event' })).toBeNull()
  expect(screen.getByRole('switch')).toBeDisabled()
  expect(within(document.body).getByLabelText('Campaign name')).toHaveAttribute('readonly')
})
