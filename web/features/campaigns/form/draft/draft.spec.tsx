import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCampaign, getCampaign } from '#contract/campaign'
import { signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { campaignWith } from '@/test/campaign-form'
import { emptyForm } from '../form-mapping.ts'
import { draftKey, keepDraft, readDraft } from './local-draft.ts'

const KEY = draftKey('ada', 'space-1', 'awareness')
const NOW = Date.parse('2026-11-20T12:00:00Z')
const DAY = 86_400_000
const values = { ...emptyForm('awareness'), name: 'Nile by night', budget: '35' }

const openForm = async (address = '/campaign/create?type=awareness') => {
  const page = renderRoute(address)
  await screen.findByLabelText(/Campaign name/)
  return page
}
const offer = () => screen.queryByRole('region', { name: 'Continue where you left off?' })
const answer = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const name = () => screen.getByLabelText(/Campaign name/)

describe('a draft', () => {
  it('is what was kept, however wrong its values are', () => {
    const unfinished = { ...values, name: '', budget: 'a lot', productUrl: 'nile' }
    keepDraft(KEY, { at: NOW, values: unfinished })
    expect(readDraft(KEY, NOW + DAY)).toEqual({ at: NOW, values: unfinished })
  })

  it.each([
    ['older than 30 days', JSON.stringify({ at: NOW - 30 * DAY - 1, values })],
    ['of another version of the form', JSON.stringify({ at: NOW, values: { ...values, targeting: undefined } })],
    ['with a value of another kind', JSON.stringify({ at: NOW, values: { ...values, budget: 35 } })],
    ['without a time', JSON.stringify({ values })],
    ['cut off', '{"at":1'],
  ])('%s is dropped', (_, text) => {
    localStorage.setItem(KEY, text)
    expect(readDraft(KEY, NOW)).toBeNull()
    expect(localStorage.getItem(KEY)).toBeNull()
  })

  it('that the browser has no room for is let go', () => {
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(() => keepDraft(KEY, { at: NOW, values })).not.toThrow()
    full.mockRestore()
  })
})

describe('a new campaign', () => {
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true, now: NOW }))
  afterEach(() => void vi.useRealTimers())
  const calm = () => act(() => vi.advanceTimersByTimeAsync(1100))

  it('is kept a second after the last key, by account and objective', async () => {
    signedInServer()
    await openForm()
    await userEvent.type(name(), 'Nile')
    expect(localStorage.getItem(KEY)).toBeNull()
    await calm()
    expect(readDraft(KEY, NOW)?.values.name).toMatch(/Nile$/)
    expect(readDraft(draftKey('ada', 'space-1', 'conversion'), NOW)).toBeNull()
  })

  it('that nobody touched is not', async () => {
    signedInServer()
    await openForm()
    await calm()
    expect(localStorage.getItem(KEY)).toBeNull()
  })
})

describe('on return', () => {
  it('what was left behind is offered with its time, and taken up', async () => {
    keepDraft(KEY, { at: Date.now(), values })
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

  it('or thrown away', async () => {
    keepDraft(KEY, { at: Date.now(), values })
    signedInServer()
    await openForm()
    await answer('Start over')
    expect(offer()).toBeNull()
    expect(localStorage.getItem(KEY)).toBeNull()
    expect(name()).not.toHaveValue('Nile by night')
  })

  it('it waits for the answer, whatever is typed meanwhile', async () => {
    keepDraft(KEY, { at: Date.now(), values })
    signedInServer()
    const { router } = await openForm()
    await userEvent.type(name(), 'Another')
    await act(() => router.navigate({ to: '/campaigns', ignoreBlocker: true }))
    expect(readDraft(KEY, Date.now())?.values.name).toBe('Nile by night')
  })

  it('what was typed in the last second before leaving is there too', async () => {
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
    keepDraft(KEY, { at: Date.now(), values: { ...values, country: 'EGY' } })
    const { address } = await openForm()
    await answer('Continue')
    await answer('Save & Next')
    await waitFor(() => expect(address()).toContain('/campaign/edit/campaign-1'))
    expect(localStorage.getItem(KEY)).toBeNull()
  })

  it.each(['/campaign/edit/campaign-1', '/campaign/create?replicatedId=campaign-1'])(
    'nothing is offered or kept of what is stored already: %s',
    async (address) => {
      const server = signedInServer()
      server.on(getCampaign, () =>
        campaignWith({ bidding_strategy: { ...campaignWith({}).bidding_strategy, type: 'awareness' } }),
      )
      keepDraft(KEY, { at: Date.now(), values })
      const { router } = await openForm(address)
      expect(offer()).toBeNull()
      await userEvent.type(name(), 'Another')
      await act(() => router.navigate({ to: '/campaigns', ignoreBlocker: true }))
      expect(readDraft(KEY, Date.now())?.values.name).toBe('Nile by night')
      expect(Object.keys(localStorage).filter((key) => key.startsWith('DSP_DRAFT'))).toEqual([KEY])
    },
  )

  it('the keyboard is enough', async () => {
    keepDraft(KEY, { at: Date.now(), values })
    signedInServer()
    await openForm()
    const region = offer()
    if (region === null) throw new Error('not offered')
    within(region).getByRole('button', { name: 'Continue' }).focus()
    await userEvent.keyboard('{Enter}')
    expect(name()).toHaveValue('Nile by night')
  })
})
