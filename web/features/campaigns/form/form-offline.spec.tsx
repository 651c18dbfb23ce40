import { onlineManager } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { getCampaign, updateCampaign } from '#contract/campaign'
import { toast } from '@/lib/toast'
import { signedInServer, type FakeServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { campaignWith } from '@/test/campaign-form'
import { SAVE_TIMEOUT_MS } from './use-campaign-save.ts'
import { turns } from '@/test/time'

const WAITING = 'No connection. Your changes are saved as soon as there is one.'
const bidding_strategy = { ...campaignWith({}).bidding_strategy, type: 'awareness', goal: 'MAXIMIZED_REACH' }
const stored = (patch: Partial<Campaign> = {}) => campaignWith({ name: 'Autumn', country: 'EG', bidding_strategy, ...patch })
const unreachable = () => Promise.reject(new TypeError('Failed to fetch'))

let server: FakeServer
const error = vi.spyOn(toast, 'error')
beforeEach(() => {
  error.mockClear()
  server = signedInServer()
  server.on(getCampaign, () => stored())
})
afterEach(() => onlineManager.setOnline(true))

const button = (name: string) => screen.findByRole('button', { name })

async function change() {
  const page = renderRoute('/campaign/edit/campaign-1?tab=basicInfo')
  await userEvent.type(await screen.findByLabelText('Campaign name'), '!')
  await button('Save & Next')
  return page
}

describe('a save that cannot reach the server', () => {
  // covers FP-105
  it('waits where one sees it, and is sent once the connection is back, as it was, with what was typed meanwhile kept', async () => {
    await change()
    server.on(updateCampaign, unreachable)
    act(() => onlineManager.setOnline(false))
    await userEvent.click(await button('Save'))
    expect(await screen.findByText(WAITING)).toBeVisible()
    expect(error).not.toHaveBeenCalled()
    await userEvent.type(screen.getByLabelText('Campaign name'), '?')
    server.on(updateCampaign, () => ({ ...stored({ name: 'Autumn!', revision: 4 }), position: '9' }))
    act(() => onlineManager.setOnline(true))
    await waitFor(() => expect(server.calls(updateCampaign)).toHaveLength(2))
    const [first, second] = server.calls(updateCampaign)
    expect(second?.body).toEqual(first?.body)
    expect(first?.body).toMatchObject({ name: 'Autumn!' })
    // It may have arrived although no answer came.
    expect(second?.headers.get('Idempotency-Key')).toBe(first?.headers.get('Idempotency-Key'))
    await waitFor(() => expect(screen.queryByText(WAITING)).toBeNull())
    expect(screen.getByLabelText('Campaign name')).toHaveValue('Autumn!?')
    expect(screen.getByText('Unsaved changes')).toBeVisible()
  })

  // covers FP-105
  it('a save that cannot reach the server is not sent any more once one stops waiting', async () => {
    await change()
    server.on(updateCampaign, unreachable)
    act(() => onlineManager.setOnline(false))
    await userEvent.click(await button('Save & Next'))
    await userEvent.click(await button('Stop waiting'))
    await waitFor(() => expect(screen.queryByText(WAITING)).toBeNull())
    expect(screen.queryByRole('button', { name: 'Stop waiting' })).toBeNull()
    expect(await button('Save & Next')).toHaveAttribute('aria-disabled', 'false')
    act(() => onlineManager.setOnline(true))
    await turns()
    expect(server.calls(updateCampaign)).toHaveLength(1)
    expect(error).not.toHaveBeenCalled()
    expect(screen.getByText('Unsaved changes')).toBeVisible()
  })

  it('a save that cannot reach the server is tried again by itself where the browser has a network and the server is away', async () => {
    await change()
    server.on(updateCampaign, unreachable)
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await userEvent.click(await button('Save'))
      expect(await screen.findByText(WAITING)).toBeVisible()
      await act(() => vi.advanceTimersByTimeAsync(2000))
      await waitFor(() => expect(server.calls(updateCampaign).length).toBeGreaterThanOrEqual(2))
    } finally {
      vi.useRealTimers()
    }
  })

  it('a save that cannot reach the server is given up when no answer comes', async () => {
    await change()
    server.on(updateCampaign, () => new Promise(() => {}))
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await userEvent.click(screen.getByRole('button', { name: 'Save & Next' }))
      await waitFor(() => expect(server.calls(updateCampaign)).toHaveLength(1))
      await act(() => vi.advanceTimersByTimeAsync(SAVE_TIMEOUT_MS))
      await waitFor(() => expect(error).toHaveBeenCalledWith(expect.stringContaining('The server did not answer')))
    } finally {
      vi.useRealTimers()
    }
    expect(await button('Save & Next')).toHaveAttribute('aria-disabled', 'false')
  })

  // covers FP-105
  it('a save that cannot reach the server is called off when its page is left', async () => {
    await change()
    let aborted = false
    server.on(updateCampaign, ({ signal }) => {
      signal?.addEventListener('abort', () => (aborted = true))
      return new Promise(() => {})
    })
    await userEvent.click(await button('Save & Next'))
    await userEvent.click(await button('Cancel'))
    await userEvent.click(await button('Leave'))
    await waitFor(() => expect(aborted).toBe(true))
  })
})

describe('opening a campaign without a connection', () => {
  it('says so, stays on the page, and opens it once the connection is back', async () => {
    server.on(getCampaign, unreachable)
    act(() => onlineManager.setOnline(false))
    const { address } = renderRoute('/campaign/edit/campaign-1?tab=basicInfo')
    expect(await screen.findByRole('heading', { name: 'You are offline' })).toBeVisible()
    expect(screen.queryByText('Something went wrong!')).toBeNull()
    expect(address()).toContain('/campaign/edit/campaign-1')
    server.on(getCampaign, () => stored())
    act(() => {
      onlineManager.setOnline(true)
      window.dispatchEvent(new Event('online'))
    })
    expect(await screen.findByLabelText('Campaign name')).toHaveValue('Autumn')
  })
})
