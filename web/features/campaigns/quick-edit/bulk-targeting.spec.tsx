import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { getCampaign, updateCampaign } from '#contract/campaign'
import type { Campaign } from '#contract/campaign-body'
import { listCampaigns } from '#contract/campaign-list'
import { cities } from '#contract/reference'
import { campaignWith } from '@/test/campaign-form'
import { listRowWith, pageOf, refusal, signedInServer, type FakeServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

const city = (id: string, name: string, population: number) => ({
  id,
  name,
  population,
  timezone: 'Africa/Cairo',
  timezone_offset_seconds: 7200,
  lat: 30,
  lon: 31,
})
const CITIES = [city('c-1', 'Cairo', 9_000_000), city('c-2', 'Giza', 4_000_000), city('c-3', 'Luxor', 400_000)]

let server: FakeServer
let contents: Map<string, Campaign>
type Sent = Partial<Campaign> & { readonly id: string; readonly revision: number }

const manual = (id: string, name: string, targeting: Partial<Campaign['targeting']>) => {
  const base = campaignWith({ id, name, country: 'EG', status_key: 3 })
  return { ...base, targeting: { ...base.targeting, automaticTargeting: false, ...targeting } }
}

/** Stores what is saved and answers dry runs, as the server does. */
function stores(refuses: (sent: Sent) => boolean = () => false) {
  server.on(getCampaign, ({ params }) => contents.get(params['id'] ?? '') ?? refusal(130, 404))
  server.on(updateCampaign, ({ body, query }) => {
    const { id, revision, ...fields } = body as Sent
    const before = contents.get(id)
    if (before === undefined) return refusal(130, 404)
    if (query.has('dry_run'))
      return { events: [], diff: [], status_key: 3, status_reasons: [], revision, moderator_needed: id === 'campaign-2' }
    if (refuses(body as Sent) || before.revision !== revision) return refusal(140, 409)
    const after = { ...before, ...fields, id, revision: revision + 1 }
    contents.set(id, after)
    return { ...after, position: '9' }
  })
}

beforeEach(() => {
  server = signedInServer()
  contents = new Map(
    [
      manual('campaign-1', 'Autumn', { city_ids: ['c-1'], target_languages: ['english'] }),
      manual('campaign-2', 'Winter', { city_ids: ['c-2', 'c-1'] }),
      manual('campaign-3', 'Spring', { city_ids: ['c-1'], automaticTargeting: true }),
    ].map((content) => [content.id, content]),
  )
  server.on(listCampaigns, () =>
    pageOf([...contents.values()].map(({ id, name, revision }) => listRowWith({ id, name, revision, status_key: 3 }))),
  )
  server.on(cities, () => CITIES)
})

const saves = () => server.calls(updateCampaign).flatMap(({ body, query }) => (query.has('dry_run') ? [] : [body as Sent]))
const dialog = () => screen.getByRole('dialog', { name: /^Edit \d campaigns?$/ })
const texts = (id: string) => [...within(dialog()).getByTestId(`bulk-row-${id}`).children].map(({ textContent }) => textContent)

async function open() {
  renderRoute('/campaigns')
  await screen.findByRole('link', { name: 'Autumn' })
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  await userEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Edit' }))
  await screen.findByRole('dialog')
  await userEvent.click(within(dialog()).getByRole('radio', { name: 'Targeting' }))
}

async function pickCity(name: string) {
  await userEvent.click(within(dialog()).getByLabelText('Search cities'))
  await userEvent.click(await screen.findByRole('option', { name: new RegExp(name) }))
  await userEvent.keyboard('{Escape}')
}

describe('editing the targeting of the selected campaigns', () => {
  it('shows every row now and then, what stays, and what goes to review', async () => {
    stores()
    await open()
    await waitFor(() => expect(texts('campaign-2').slice(0, 3)).toEqual(['Winter', 'Giza, Cairo', '']))
    await pickCity('Giza')
    await waitFor(() => expect(texts('campaign-1').slice(0, 3)).toEqual(['Autumn', 'Cairo', 'Cairo, Giza']))
    expect(texts('campaign-2')).toEqual(['Winter', 'Giza, Cairo', '', 'Has this value already'])
    expect(texts('campaign-3')).toEqual(['Spring', 'Cairo', '', 'Its targeting is automatic, so lists have no effect.'])
    expect(within(dialog()).getByText('1 of 3 will change')).toBeVisible()
    await userEvent.click(within(dialog()).getByRole('radio', { name: 'Remove' }))
    await waitFor(() => expect(texts('campaign-2')).toEqual(['Winter', 'Giza, Cairo', 'Cairo', 'Goes to review']))
    await userEvent.click(within(dialog()).getByRole('radio', { name: 'Replace with' }))
    await waitFor(() => expect(texts('campaign-1').slice(1, 3)).toEqual(['Cairo', 'Giza']))
    expect(saves()).toEqual([])
  })

  // covers FP-109
  it('saves the whole record with one changed list, and one Undo puts all of them back', async () => {
    stores()
    await open()
    const before = new Map(contents)
    await pickCity('Luxor')
    await userEvent.click(await within(dialog()).findByRole('button', { name: 'Apply to 2' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(saves().map(({ id, targeting }) => [id, targeting])).toEqual([
      ['campaign-1', { ...before.get('campaign-1')?.targeting, city_ids: ['c-1', 'c-3'] }],
      ['campaign-2', { ...before.get('campaign-2')?.targeting, city_ids: ['c-2', 'c-1', 'c-3'] }],
    ])
    expect(await screen.findByText('2 campaigns changed')).toBeVisible()
    await userEvent.keyboard('z')
    await waitFor(() => expect(saves()).toHaveLength(4))
    for (const id of ['campaign-1', 'campaign-2'])
      await waitFor(() => expect(contents.get(id)?.targeting).toEqual(before.get(id)?.targeting))
  })

  it('tells row by row which saves failed', async () => {
    stores(({ id }) => id === 'campaign-2')
    await open()
    await pickCity('Luxor')
    const winter = contents.get('campaign-2')
    await userEvent.click(await within(dialog()).findByRole('button', { name: 'Apply to 2' }))
    // Another user saved other cities in the meantime.
    if (winter !== undefined)
      contents.set('campaign-2', { ...winter, revision: 9, targeting: { ...winter.targeting, city_ids: [] } })
    await waitFor(() => expect(texts('campaign-2')[3]).toBe('It was changed in the meantime.'))
    expect(texts('campaign-1')[3]).toBe('Changed')
    expect(within(dialog()).getByText('1 changed, 1 not changed')).toBeVisible()
  })

  it('changes languages by check boxes and the device by one choice', async () => {
    stores()
    await open()
    await userEvent.click(within(dialog()).getByRole('radio', { name: 'Languages' }))
    await userEvent.click(within(dialog()).getByRole('checkbox', { name: 'Hausa' }))
    await waitFor(() => expect(texts('campaign-1').slice(1, 3)).toEqual(['English', 'English, Hausa']))
    expect(texts('campaign-2').slice(1)).toEqual(['all', '', 'It covers all already.'])
    await userEvent.click(within(dialog()).getByRole('radio', { name: 'Remove' }))
    await userEvent.click(within(dialog()).getByRole('checkbox', { name: 'English' }))
    await waitFor(() => expect(texts('campaign-1')[3]).toBe('Nothing would be left, and it would cover all.'))
    await userEvent.click(within(dialog()).getByRole('radio', { name: 'Device' }))
    await userEvent.click(within(dialog()).getByRole('radio', { name: 'Android' }))
    await waitFor(() => expect(texts('campaign-3').slice(1, 3)).toEqual(['All', 'Android']))
    await userEvent.click(within(dialog()).getByRole('button', { name: 'Apply to 3' }))
    await waitFor(() => expect(saves()).toHaveLength(3))
    expect(saves()[0]?.placement).toMatchObject({ device_type_key: 4 })
  })

  it('sets the hours of a week by a ready-made schedule and by the grid', async () => {
    stores()
    await open()
    await userEvent.click(within(dialog()).getByRole('radio', { name: 'Hours' }))
    expect(within(dialog()).getByRole('radio', { name: 'Replace with' })).toBeChecked()
    await userEvent.click(within(dialog()).getByRole('radio', { name: 'Cities' }))
    expect(within(dialog()).getByRole('radio', { name: 'Add' })).toBeChecked()
    await userEvent.click(within(dialog()).getByRole('radio', { name: 'Hours' }))
    await waitFor(() => expect(texts('campaign-1').slice(1, 3)).toEqual(['all', '']))
    await userEvent.click(within(dialog()).getByRole('button', { name: 'Business hours' }))
    await waitFor(() => expect(texts('campaign-3').slice(1, 3)).toEqual(['all', 'Mon–Fri 09:00–18:00']))
    within(dialog()).getByRole('gridcell', { name: 'Monday 00:00' }).focus()
    await userEvent.keyboard(' ')
    await waitFor(() => expect(texts('campaign-3')[2]).toBe('Mon 00:00–01:00, 09:00–18:00; Tue–Fri 09:00–18:00'))
    await userEvent.click(within(dialog()).getByRole('button', { name: 'Apply to 3' }))
    await waitFor(() => expect(saves()).toHaveLength(3))
    expect(saves()[0]).toMatchObject({
      freq_and_scheduling_on: true,
      scheduling: { '0': [], '1': expect.arrayContaining(['00', '09']) },
    })
    await userEvent.keyboard('z')
    await waitFor(() => expect(saves()).toHaveLength(6))
    await waitFor(() => expect(contents.get('campaign-1')?.freq_and_scheduling_on).toBe(false))
  })
})
