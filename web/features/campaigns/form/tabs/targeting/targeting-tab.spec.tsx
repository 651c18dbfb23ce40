import { QueryClient } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AudienceItem } from '#contract/audiences'
import type { Campaign } from '#contract/campaign-body'
import { serve, type Asked } from '@/test/server'
import { campaignWith, renderInForm } from '@/test/campaign-form'
import { targetingSlice } from './targeting-slice.ts'
import TargetingTab from './targeting-tab.tsx'

const APPS = '/v1/audience/audience-resource'
const app = (id: string, name: string) => ({
  id,
  name,
  type: 'app',
  icon: null,
  users_min: 1000,
  users_max: 5000,
  bundle_ids: [id],
})
const entry = (key: string, title: string, parent: string | null) => ({
  key,
  value: key,
  title,
  order: 1,
  deprecated: false,
  parent,
})
const INTERESTS = [entry('sports', 'Sports', null), entry('tennis', 'Tennis', 'sports'), entry('food', 'Food', null)]

let calls: readonly Asked[] = []
const audience = (id: string, name: string, matched: number): AudienceItem => ({
  id,
  name,
  space_id: 'space-1',
  space_name: 'Nile',
  type: 'static',
  status: 2,
  status_key: 2,
  row_count: matched,
  accepted: matched,
  rejected: 0,
  duplicates: 0,
  matched,
  version: 1,
  used_in: 0,
  created_at: '2026-11-01T10:00:00.000Z',
  updated_at: '2026-11-01T10:00:00.000Z',
})
const AUDIENCES = [audience('a1', 'Buyers', 1200), audience('a2', 'Readers', 1)]

beforeEach(() => {
  calls = serve({
    '/v1/segment-audience/list': ({ body }) => {
      const { name = '', ids = null } = body as { name?: string; ids?: readonly string[] | null }
      const data = AUDIENCES.filter(
        (one) => (ids === null || ids.includes(one.id)) && one.name.toLowerCase().includes(name.toLowerCase()),
      )
      return { current_page: 0, page_size: 50, total_size: data.length, data }
    },
    '/v1/dictionary/meta/interests/en_US': () => INTERESTS,
    [APPS]: ({ query }) =>
      [app('com.chat', 'Chat'), app('com.chess', 'Chess')].filter(({ name }) => name.toLowerCase().includes(query['name'] ?? '')),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const { targeting } = campaignWith({})
const byHand = (patch: Partial<Campaign['targeting']> = {}, country: string | null = 'EG') =>
  campaignWith({ country, targeting: { ...targeting, automaticTargeting: false, ...patch } })

function open(campaign = byHand(), { readOnly = false, audio = false } = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const { form } = renderInForm(<TargetingTab />, campaign, readOnly, { client, tabs: { audio } })
  return { sent: () => targetingSlice.toInput(form().getValues('targeting'), campaign).targeting }
}
const radio = (name: string, group: string | RegExp) =>
  within(screen.getByRole('group', { name: group })).getByRole('radio', { name })
const check = (name: string) => screen.getByRole('checkbox', { name })
const box = (name: string) => screen.getByRole('combobox', { name })
const chips = (name: string | RegExp) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('listitem')
    .map((chip) => chip.textContent)
async function pick(from: string, option: string) {
  await userEvent.click(box(from))
  await userEvent.click(await screen.findByRole('option', { name: new RegExp(option) }))
}

describe('the mode', () => {
  // covers CAM-FORM-44 CAM-FORM-45
  it('the mode of targeting is automatic, or manual with everything people can be described by', async () => {
    const { sent } = open(campaignWith({ country: 'EG' }))
    expect(radio('Automatic', 'Whom to reach')).toBeChecked()
    expect(screen.queryByRole('group', { name: 'Gender' })).toBeNull()
    await userEvent.click(radio('Manual', 'Whom to reach'))
    expect(screen.getByRole('group', { name: 'Gender' })).toBeVisible()
    expect(sent()).toMatchObject({ automaticTargeting: false })
  })

  it('the mode of targeting cannot become manual before there is a country', async () => {
    const { sent } = open(campaignWith({}))
    await userEvent.click(radio('Manual', 'Whom to reach'))
    expect(screen.getByRole('alert')).toHaveTextContent(
      'Please select the Campaign Country to enable manual targeting/Geo Targeting',
    )
    expect(radio('Automatic', 'Whom to reach')).toBeChecked()
    expect(sent()).toMatchObject({ automaticTargeting: true })
  })

  // covers CAM-VAL-45
  it('the mode of targeting cannot become automatic before there is a country', async () => {
    const { sent } = open(byHand({}, null))
    await userEvent.click(radio('Automatic', 'Whom to reach'))
    expect(screen.getByRole('alert')).toHaveTextContent('Please select the Campaign Country to enable automatic targeting')
    expect(sent()).toMatchObject({ automaticTargeting: false })
  })

  it('the mode of targeting is not asked for in audio campaigns, which always target by hand', () => {
    open(campaignWith({ country: 'EG' }), { audio: true })
    expect(screen.queryByRole('group', { name: 'Whom to reach' })).toBeNull()
    expect(screen.getByRole('group', { name: 'Gender' })).toBeVisible()
  })
})

describe('people', () => {
  // covers CAM-TGT-06 CAM-TGT-08 CAM-TGT-09
  it('people are described by gender, languages and connection types', async () => {
    const { sent } = open()
    await userEvent.click(radio('Female', 'Gender'))
    await userEvent.click(check('Hausa'))
    await userEvent.click(check('4G'))
    await userEvent.click(check('5G'))
    await userEvent.click(check('4G'))
    expect(sent()).toMatchObject({ gender: 3, target_languages: ['hausa'], connection_types: ['5g'] })
  })

  // covers CAM-TGT-07
  it('people have an age between 18 and 65, and the lower one is not above the other', async () => {
    const { sent } = open()
    const [from, to] = [screen.getByLabelText('Age from'), screen.getByLabelText('Age to')]
    expect([from, to].map((input) => (input as HTMLInputElement).value)).toEqual(['18', '65'])
    await userEvent.clear(to)
    await userEvent.type(to, '70')
    await userEvent.tab()
    expect(await screen.findByText(/18.*65/)).toBeVisible()
    await userEvent.clear(to)
    await userEvent.type(to, '30')
    await userEvent.clear(from)
    await userEvent.type(from, '40')
    await userEvent.tab()
    expect(from).toBeInvalid()
    await userEvent.clear(from)
    await userEvent.type(from, '25')
    expect(sent()).toMatchObject({ fromAge: 25, toAge: 30, ageRange: [25, 30] })
  })

  // covers CAM-TGT-05 CAM-TGT-10
  it('people have regions and customer attributes in Nigeria', async () => {
    const { sent } = open(byHand({}, 'NG'))
    await userEvent.click(within(screen.getByRole('group', { name: 'Regions' })).getByLabelText('Lagos'))
    await userEvent.click(within(screen.getByRole('group', { name: 'Customer attributes' })).getByLabelText('Gold'))
    expect(sent()).toMatchObject({ regions: ['lagos'], customer_attributes: ['gold'] })
  })

  it('people have neither regions nor attributes elsewhere, and stored ones stay', () => {
    const { sent } = open(byHand({ regions: ['lagos'] }, 'EG'))
    expect(screen.queryByRole('group', { name: 'Regions' })).toBeNull()
    expect(sent()).toMatchObject({ regions: ['lagos'] })
  })

  it('people keep what is no longer offered until it is taken off', async () => {
    const { sent } = open(byHand({ target_languages: ['klingon', 'english'] }))
    expect(sent()).toMatchObject({ target_languages: ['klingon', 'english'] })
    await userEvent.click(check('klingon'))
    expect(sent()).toMatchObject({ target_languages: ['english'] })
  })
})

describe('interests', () => {
  // covers CAM-TGT-02
  it('interests are chosen to be liked or excluded, and never both', async () => {
    const { sent } = open()
    await pick('Search interests', 'Tennis')
    await userEvent.click(radio('Exclude', /Search interests/))
    await pick('Search interests', 'Food')
    expect(chips('Search interests: Any of')).toEqual(['Tennis'])
    expect(sent()).toMatchObject({ interests: { includeAny: ['tennis'], include: [], exclude: ['food'] } })
    await pick('Search interests', 'Tennis')
    expect(sent()).toMatchObject({ interests: { includeAny: [], include: [], exclude: ['food', 'tennis'] } })
  })

  // covers CAM-TGT-16
  it('interests offer no "all of", but show and keep a stored one', async () => {
    const { sent } = open(byHand({ interests: { includeAny: [], include: ['sports'], exclude: [] } }))
    expect(within(screen.getByRole('group', { name: /Search interests/ })).getAllByRole('radio')).toHaveLength(2)
    await waitFor(() => expect(chips('Search interests: All of')).toEqual(['Sports']))
    expect(sent()).toMatchObject({ interests: { include: ['sports'] } })
    await userEvent.click(screen.getByRole('button', { name: /^Remove/ }))
    expect(sent()).toMatchObject({ interests: { include: [] } })
    expect(box('Search interests')).toHaveFocus()
  })

  it('interests can be asked for again when their list could not be read', async () => {
    let fails = true
    serve({
      '/v1/dictionary/meta/interests/en_US': () => {
        if (fails) throw new Error('down')
        return INTERESTS
      },
      [APPS]: () => [],
      '/v1/segment-audience/list': () => ({ current_page: 0, page_size: 50, total_size: 0, data: [] }),
    })
    open()
    const retry = await screen.findByRole('button', { name: 'Try again' })
    fails = false
    await userEvent.click(retry)
    expect(box('Search interests')).toHaveFocus()
    await pick('Search interests', 'Tennis')
    expect(screen.queryByText('The list could not be loaded.')).toBeNull()
  })
})

describe('apps', () => {
  // covers CAM-TGT-03
  it('apps are chosen to be there, all of them, or not at all', async () => {
    const { sent } = open()
    await pick('Search apps by name or bundle ID', 'Chat')
    await userEvent.click(radio('All of', /Search apps/))
    await pick('Search apps by name or bundle ID', 'Chess')
    expect(sent()).toMatchObject({ apps: { includeAny: ['com.chat'], include: ['com.chess'], exclude: [] } })
    expect(chips('Search apps by name or bundle ID: All of')).toEqual(['Chess'])
  })

  // covers CAM-EST-18
  it('apps are searched once typing has rested for 300 ms', async () => {
    vi.useFakeTimers()
    open()
    const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
    await pass(100)
    const searches = () => calls.filter(({ path }) => path === APPS).map(({ query }) => query['name'])
    expect(searches()).toEqual([''])
    for (const typed of ['c', 'ch', 'che']) {
      fireEvent.change(box('Search apps by name or bundle ID'), { target: { value: typed } })
      await pass(200)
    }
    await pass(99)
    expect(searches()).toEqual([''])
    await pass(1)
    await pass(50)
    expect(searches()).toEqual(['', 'che'])
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toContainEqual(expect.stringMatching(/^Chess/))
  })
})

describe('audiences', () => {
  const stored = { segment_audiences: { includeAny: ['a1', 'a2'], include: [], exclude: ['a3'] } }

  it('audiences show the names of those that are stored, and give them back unless they are taken off', async () => {
    const { sent } = open(byHand(stored))
    expect(screen.getByRole('heading', { name: 'Audiences' })).toBeVisible()
    await waitFor(() => expect(chips(/Search audiences by name: Any of/)).toEqual(['Buyers', 'Readers']))
    // One that the account does not have any longer keeps its id.
    expect(chips(/Search audiences by name: Exclude/)).toEqual(['a3'])
    await userEvent.click(screen.getByRole('button', { name: 'Remove Buyers' }))
    expect(sent()).toMatchObject({ segment_audiences: { includeAny: ['a2'], include: [], exclude: ['a3'] } })
  })

  // covers CAM-TGT-01
  it('audiences are searched by name, shown with their members, and chosen to be there, all of them, or not at all', async () => {
    const { sent } = open()
    for (const [list, id] of [
      ['Any of', /Buyers.*1,200 members/],
      ['Exclude', /Readers.*1 member · fewer than 100: not served/],
    ] as const) {
      await userEvent.click(radio(list, /Search audiences by name/))
      await userEvent.click(box('Search audiences by name'))
      await userEvent.click(await screen.findByRole('option', { name: id }))
    }
    expect(sent()).toMatchObject({ segment_audiences: { includeAny: ['a1'], include: [], exclude: ['a2'] } })
  })
})

it('similarity goes from exact to widest', async () => {
  const { sent } = open()
  await userEvent.click(radio('Widest', 'Similarity'))
  expect(sent()).toMatchObject({ similarity: 3 })
})

it('readers can only look', () => {
  open(byHand({ interests: { includeAny: ['x'], include: [], exclude: [] } }), { readOnly: true })
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
  for (const control of [...screen.queryAllByRole('combobox'), ...screen.getAllByRole('radio')]) expect(control).toBeDisabled()
  expect(screen.getByLabelText('Age from')).toHaveAttribute('readonly')
})
