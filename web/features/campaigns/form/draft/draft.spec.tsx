import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { revisionAuthors } from '#contract/audit'
import { createCampaign, getCampaign, updateCampaign } from '#contract/campaign'
import type { Campaign } from '#contract/campaign-body'
import { signedInServer, type FakeServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { campaignWith } from '@/test/campaign-form'
import { emptyForm } from '../form-mapping.ts'
import { draftKey, keepDraft, MOST_DRAFTS, readDraft } from './local-draft.ts'

const KEY = draftKey('ada', 'space-1', 'awareness')
const NOW = Date.parse('2026-11-20T12:00:00Z')
const DAY = 86_400_000
const values = { ...emptyForm('awareness'), name: 'Nile by night', budget: '35' }

const openForm = async (address = '/campaign/create?type=awareness') => {
  const page = renderRoute(address)
  await screen.findByLabelText(/Campaign name/)
  return page
}
const stored = (patch: Partial<Campaign> = {}) =>
  campaignWith({
    name: 'Autumn',
    country: 'EG',
    bidding_strategy: { ...campaignWith({}).bidding_strategy, type: 'awareness', goal: 'MAXIMIZED_REACH' },
    ...patch,
  })
const offer = () => screen.queryByRole('region', { name: 'Continue where you left off?' })
const answer = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const name = () => screen.getByLabelText(/Campaign name/)

describe('a draft', () => {
  it('a draft is what was kept, however wrong its values are', () => {
    const unfinished = { ...values, name: '', budget: 'a lot', productUrl: 'nile' }
    keepDraft(KEY, { at: NOW, values: unfinished, on: null })
    expect(readDraft(KEY, NOW + DAY)).toEqual({ at: NOW, values: unfinished, on: null })
  })

  it.each([
    ['older than 30 days', JSON.stringify({ at: NOW - 30 * DAY - 1, values })],
    ['of another version of the form', JSON.stringify({ at: NOW, values: { ...values, targeting: undefined } })],
    ['with a value of another kind', JSON.stringify({ at: NOW, values: { ...values, budget: 35 } })],
    ['without a time', JSON.stringify({ values })],
    ['cut off', '{"at":1'],
  ])('a draft %s is dropped', (_, text) => {
    localStorage.setItem(KEY, text)
    expect(readDraft(KEY, NOW)).toBeNull()
    expect(localStorage.getItem(KEY)).toBeNull()
  })

  it('a draft that the browser has no room for is let go', () => {
    const full = vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(() => keepDraft(KEY, { at: NOW, values, on: null })).not.toThrow()
    expect(full).toHaveBeenCalled()
    full.mockRestore()
  })
})

describe('the drafts of a browser', () => {
  const keyOf = (n: number) => draftKey('ada', 'space-1', `edit campaign-${n}`)
  const kept = () => Object.keys(localStorage).filter((key) => key.startsWith('DSP_DRAFT'))

  // covers FP-105
  it('the drafts of a browser are at most twenty: the oldest makes way', () => {
    for (let n = 0; n < MOST_DRAFTS; n++) keepDraft(keyOf(n), { at: NOW + (n === 7 ? -1 : n), values, on: null })
    expect(kept()).toHaveLength(MOST_DRAFTS)
    keepDraft(keyOf(3), { at: NOW + DAY, values, on: null })
    expect(kept()).toHaveLength(MOST_DRAFTS)
    keepDraft(keyOf(99), { at: NOW + DAY, values, on: null })
    expect(kept()).toHaveLength(MOST_DRAFTS)
    expect(kept()).not.toContain(keyOf(7))
    expect(kept()).toContain(keyOf(99))
  })

  it('the drafts of a browser make way for a newer one that finds no room', () => {
    for (let n = 0; n < 3; n++) keepDraft(keyOf(n), { at: NOW + n, values, on: null })
    const setItem = localStorage.setItem.bind(localStorage)
    const full = vi.spyOn(localStorage, 'setItem').mockImplementation((key, text) => {
      if (kept().length >= 2) throw new DOMException('full', 'QuotaExceededError')
      setItem(key, text)
    })
    keepDraft(keyOf(9), { at: NOW + DAY, values, on: null })
    full.mockRestore()
    expect(kept().toSorted()).toEqual([keyOf(2), keyOf(9)])
  })
})

describe('edits of a stored campaign', () => {
  const EDIT = '/campaign/edit/campaign-1?tab=basicInfo'
  const EDIT_KEY = draftKey('ada', 'space-1', 'edit campaign-1')
  let server: FakeServer
  beforeEach(() => {
    server = signedInServer()
    server.on(getCampaign, () => stored())
  })
  const leave = async (typed: string) => {
    const page = await openForm(EDIT)
    await userEvent.type(name(), typed)
    await act(() => page.router.navigate({ to: '/campaigns', ignoreBlocker: true }))
    await waitFor(() => expect(readDraft(EDIT_KEY, Date.now())?.values.name).toBe(`Autumn${typed}`))
    cleanup()
  }

  // covers FP-105
  it('edits of a stored campaign survive a crash: they are offered with their time, taken up, and saved on their version', async () => {
    await leave(' 2027')
    await openForm(EDIT)
    expect(name()).toHaveValue('Autumn')
    expect(offer()).toHaveTextContent(/Autumn 2027.*was not saved/)
    await answer('Continue')
    expect(name()).toHaveValue('Autumn 2027')
    expect(screen.getByText('Unsaved changes')).toBeVisible()
    server.on(updateCampaign, () => ({ ...stored({ name: 'Autumn 2027', revision: 4 }), position: '9' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Save' }))
    await waitFor(() => expect(server.calls(updateCampaign)[0]?.body).toMatchObject({ name: 'Autumn 2027', revision: 3 }))
    await waitFor(() => expect(localStorage.getItem(EDIT_KEY)).toBeNull())
  })

  it('edits of a stored campaign that go on after a save are kept again', async () => {
    const page = await openForm(EDIT)
    server.on(updateCampaign, () => ({ ...stored({ name: 'Autumn 2', revision: 4 }), position: '9' }))
    await userEvent.type(name(), ' 2')
    await userEvent.click(await screen.findByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByText('Unsaved changes')).toBeNull())
    expect(localStorage.getItem(EDIT_KEY)).toBeNull()
    await userEvent.type(name(), '7')
    await act(() => page.router.navigate({ to: '/campaigns', ignoreBlocker: true }))
    await waitFor(() =>
      expect(readDraft(EDIT_KEY, Date.now())).toMatchObject({ values: { name: 'Autumn 27' }, on: { revision: 4 } }),
    )
  })

  // covers FP-105
  it('edits of a stored campaign of a version that others have replaced meanwhile are merged, not stored over theirs', async () => {
    await leave(' 2027')
    server.on(getCampaign, () => stored({ revision: 4, budget: 77 }))
    server.on(revisionAuthors, () => [
      { revision: 4, author: 'Olga Ivanova', own: false, commit_date: '2026-11-20T10:00:00.000Z' },
    ])
    await openForm(EDIT)
    await answer('Continue')
    expect(name()).toHaveValue('Autumn 2027')
    expect(await screen.findByText(/^Olga Ivanova saved this campaign on/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Compare and merge' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Go on with this' }))
    await waitFor(() => expect(screen.getByLabelText('Daily budget')).toHaveValue('77'))
    expect(name()).toHaveValue('Autumn 2027')
    expect(screen.queryByText(/saved this campaign/)).toBeNull()
    expect(server.calls(updateCampaign)).toEqual([])
  })

  it('edits of a stored campaign are thrown away by Discard', async () => {
    await leave(' 2027')
    await openForm(EDIT)
    await answer('Discard')
    expect(offer()).toBeNull()
    expect(name()).toHaveValue('Autumn')
    expect(localStorage.getItem(EDIT_KEY)).toBeNull()
  })

  it('edits of a stored campaign that were stored in another way are not offered', async () => {
    await leave(' 2027')
    server.on(getCampaign, () => stored({ revision: 4, name: 'Autumn 2027' }))
    await openForm(EDIT)
    expect(offer()).toBeNull()
    expect(localStorage.getItem(EDIT_KEY)).toBeNull()
  })

  it('edits of a stored campaign are not kept for those who may only read', async () => {
    keepDraft(draftKey('ada', 'space-1', 'edit campaign-1'), {
      at: Date.now(),
      values: { ...values, name: 'Mine' },
      on: stored(),
    })
    server = signedInServer({ role: 'AUDITOR' })
    server.on(getCampaign, () => stored())
    await openForm(EDIT)
    expect(offer()).toBeNull()
  })
})

describe('a new campaign', () => {
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true, now: NOW }))
  afterEach(() => void vi.useRealTimers())
  const calm = () => act(() => vi.advanceTimersByTimeAsync(1100))

  // covers FP-105
  it('a new campaign is kept a second after the last key, by account and objective', async () => {
    signedInServer()
    await openForm()
    await userEvent.type(name(), 'Nile')
    expect(localStorage.getItem(KEY)).toBeNull()
    await calm()
    expect(readDraft(KEY, NOW)?.values.name).toMatch(/Nile$/)
    expect(readDraft(draftKey('ada', 'space-1', 'conversion'), NOW)).toBeNull()
  })

  it('an untouched new campaign is not kept', async () => {
    signedInServer()
    await openForm()
    await calm()
    expect(localStorage.getItem(KEY)).toBeNull()
  })
})

describe('a draft on return', () => {
  it('a draft that was left behind is offered on return with its time, and taken up', async () => {
    keepDraft(KEY, { at: Date.now(), values, on: null })
    signedInServer()
    await openForm()
    expect(name()).not.toHaveValue('Nile by night')
    expect(offer()).toHaveTextContent(/Nile by night.*\d{4} \d{2}:\d{2}/)
    await answer('Continue')
    expect(name()).toHaveValue('Nile by night')
    expect(screen.getByLabelText(/Daily budget/)).toHaveValue('35')
    expect(offer()).toBeNull()
    expect(document.activeElement).toBe(name())
    expect(screen.getByText('Unsaved changes')).toBeVisible()
  })

  it('a draft that was left behind is thrown away on return', async () => {
    keepDraft(KEY, { at: Date.now(), values, on: null })
    signedInServer()
    await openForm()
    await answer('Start over')
    expect(offer()).toBeNull()
    expect(localStorage.getItem(KEY)).toBeNull()
    expect(name()).not.toHaveValue('Nile by night')
  })

  it('a draft that was left behind waits for the answer, whatever is typed meanwhile', async () => {
    keepDraft(KEY, { at: Date.now(), values, on: null })
    signedInServer()
    const { router } = await openForm()
    await userEvent.type(name(), 'Another')
    await act(() => router.navigate({ to: '/campaigns', ignoreBlocker: true }))
    expect(readDraft(KEY, Date.now())?.values.name).toBe('Nile by night')
  })

  it('a draft holds what was typed in the last second before leaving', async () => {
    signedInServer()
    const { router } = await openForm()
    await userEvent.clear(name())
    await userEvent.type(name(), 'In a hurry')
    await act(() => router.navigate({ to: '/campaigns', ignoreBlocker: true }))
    await waitFor(() => expect(readDraft(KEY, Date.now())?.values.name).toBe('In a hurry'))
  })

  it('nothing is offered once it was saved', async () => {
    const server = signedInServer()
    const campaign = campaignWith({ id: 'campaign-1', name: 'Nile by night' })
    server.on(createCampaign, () => ({ ...campaign, position: '1' }))
    server.on(getCampaign, () => campaign)
    keepDraft(KEY, { at: Date.now(), values: { ...values, country: 'EGY' }, on: null })
    const { address } = await openForm()
    await answer('Continue')
    await answer('Save & Next')
    await waitFor(() => expect(address()).toContain('/campaign/edit/campaign-1'))
    expect(localStorage.getItem(KEY)).toBeNull()
  })

  it('nothing is offered or kept of a copy', async () => {
    const server = signedInServer()
    server.on(getCampaign, () => stored())
    keepDraft(KEY, { at: Date.now(), values, on: null })
    const { router } = await openForm('/campaign/create?replicatedId=campaign-1')
    expect(offer()).toBeNull()
    await userEvent.type(name(), 'Another')
    await act(() => router.navigate({ to: '/campaigns', ignoreBlocker: true }))
    expect(readDraft(KEY, Date.now())?.values.name).toBe('Nile by night')
    expect(Object.keys(localStorage).filter((key) => key.startsWith('DSP_DRAFT'))).toEqual([KEY])
  })

  it('the keyboard is enough', async () => {
    keepDraft(KEY, { at: Date.now(), values, on: null })
    signedInServer()
    await openForm()
    const region = offer()
    if (region === null) throw new Error('not offered')
    within(region).getByRole('button', { name: 'Continue' }).focus()
    await userEvent.keyboard('{Enter}')
    expect(name()).toHaveValue('Nile by night')
  })
})
