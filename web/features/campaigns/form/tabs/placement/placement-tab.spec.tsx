import { QueryClient } from '@tanstack/react-query'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { serve } from '@/test/server'
import { campaignWith, renderInForm } from '@/test/campaign-form'
import { modeOf, offeredIn, pick } from './list-mode.ts'
import { placementSlice } from './placement-slice.ts'
import PlacementTab from './placement-tab.tsx'

const app = (id: string, name: string) => ({
  id,
  name,
  type: 'app',
  icon: null,
  users_min: 1000,
  users_max: 5000,
  bundle_ids: [id],
})
const named = (...names: string[]) => names.map((name) => ({ category_id: name.toLowerCase(), category_name: name }))
beforeEach(() => {
  serve({
    '/v1/audience/audience-resource': () => [app('com.chat', 'Chat'), app('com.chess', 'Chess')],
    '/v1/campaign/app/categories': ({ query }) =>
      query['type'] === 'game' ? named('Puzzle', 'Racing') : named('Beauty', 'News'),
    '/v1/campaign/campaign-whitelists/campaign-1': () => [],
  })
})
afterEach(() => vi.unstubAllGlobals())

const { placement } = campaignWith({})
const placed = (patch: Partial<Campaign['placement']>) => campaignWith({ placement: { ...placement, ...patch } })
function open(campaign = campaignWith({}), readOnly = false) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const { form } = renderInForm(<PlacementTab />, campaign, readOnly, { client })
  return { sent: () => placementSlice.toInput(form().getValues('placement'), campaign).placement }
}
const group = (name: string) => screen.getByRole('group', { name })
const labels = (name: string) =>
  within(group(name))
    .getAllByRole('radio')
    .map((radio) => radio.closest('label')?.textContent)
const choose = (name: string, option: string) => userEvent.click(within(group(name)).getByRole('radio', { name: option }))
const box = (name: string) => screen.getByRole('combobox', { name })
async function add(search: string, option: string) {
  await userEvent.click(box(search))
  const list = screen.getByRole('listbox', { name: search })
  await userEvent.click(await within(list).findByRole('option', { name: new RegExp(option) }))
}
const take = (name: string) => userEvent.click(screen.getByRole('button', { name: `Remove ${name}` }))

describe('devices and environment', () => {
  // covers CAM-FORM-46 CAM-PLC-16 CAM-PLC-17
  it('offers all, app and web, and sends all as null', async () => {
    const { sent } = open(placed({ environment: 'web' }))
    expect(labels('Environment')).toEqual(['All', 'App', 'Web'])
    expect(sent()).toMatchObject({ environment: 'web' })
    await choose('Environment', 'App')
    expect(sent()).toMatchObject({ environment: 'app' })
    await choose('Environment', 'All')
    expect(sent()).toMatchObject({ environment: null })
  })

  it('offers all devices, iOS and Android, a version and languages', async () => {
    const { sent } = open()
    await choose('Device', 'Android')
    await userEvent.type(screen.getByLabelText('Minimum OS version'), ' 9 ')
    await userEvent.click(within(group('Languages of apps and sites')).getByLabelText('English'))
    expect(sent()).toMatchObject({ device_type_key: 4, min_os_version: '9', languages: ['english'] })
  })
})

const LISTS = [
  ['Apps', 'Search apps by name or bundle ID', ['Chat', 'com.chat'], ['Chess', 'com.chess'], 'apps'],
  ['App categories', 'Search app categories', ['Beauty', 'beauty'], ['News', 'news'], 'app_category_ids'],
] as const

describe.each(LISTS)('the list of %s', (title, search, [first, firstId], [second, secondId], key) => {
  const actions = `${title}: Action`

  // covers CAM-PLC-01 CAM-PLC-04
  it('starts without a mode and offers both actions', () => {
    open()
    expect(labels(actions)).toEqual(['Allow', 'Block'])
    expect(screen.queryByRole('list', { name: `${title}: Allowed` })).toBeNull()
  })

  // covers CAM-PLC-02 CAM-PLC-07
  it('allows only, once one is allowed', async () => {
    const { sent } = open()
    await add(search, first)
    expect(labels(actions)).toEqual(['Allow'])
    await add(search, second)
    expect(sent()).toMatchObject({ [`included_${key}`]: [firstId, secondId], [`excluded_${key}`]: [] })
  })

  // covers CAM-PLC-03 CAM-PLC-05 CAM-PLC-08
  it('blocks only, once one is blocked', async () => {
    const { sent } = open()
    await choose(actions, 'Block')
    await add(search, first)
    expect(labels(actions)).toEqual(['Block'])
    expect(sent()).toMatchObject({ [`included_${key}`]: [], [`excluded_${key}`]: [firstId] })
  })

  // covers CAM-PLC-06
  it('offers both again when the last one is gone, and the focus goes to the search', async () => {
    open()
    await add(search, first)
    await add(search, second)
    await take(first)
    expect(labels(actions)).toEqual(['Allow'])
    await take(second)
    expect(labels(actions)).toEqual(['Allow', 'Block'])
    expect(box(search)).toHaveFocus()
  })

  it('shows both sides of a campaign that came with both, so that one can be emptied', async () => {
    const { sent } = open(placed({ [`included_${key}`]: ['x'], [`excluded_${key}`]: ['y'] }))
    await take('x')
    expect(labels(actions)).toEqual(['Block'])
    expect(sent()).toMatchObject({ [`included_${key}`]: [], [`excluded_${key}`]: ['y'] })
  })
})

it('an action that the mode does not offer changes nothing', () => {
  const allowing = { included: ['a'], excluded: [] }
  expect([modeOf(allowing), offeredIn(modeOf(allowing))]).toEqual(['whitelist', ['allow']])
  expect(pick(allowing, 'block', 'b')).toBe(allowing)
})

describe('games', () => {
  it('games are blocked by category, until all of them are', async () => {
    const { sent } = open()
    await add('Search game categories to block', 'Puzzle')
    await userEvent.click(screen.getByRole('switch', { name: 'Exclude all games' }))
    expect(box('Search game categories to block')).toBeDisabled()
    expect(screen.getByText('All games are excluded, so single categories do not matter.')).toBeVisible()
    expect(sent()).toMatchObject({ excluded_game_category_ids: ['puzzle'], excluded_all_games: true })
  })

  it('publishers that do not gamble can be excluded', async () => {
    const { sent } = open()
    await userEvent.click(screen.getByRole('switch', { name: 'Show only on gambling sites' }))
    expect(sent()).toMatchObject({ exclude_non_gambling_publishers: true })
  })
})

it('readers can only look', () => {
  open(placed({ excluded_apps: ['x'] }), true)
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Browse places'])
  for (const control of screen.getAllByRole('switch')) expect(control).toBeDisabled()
})
