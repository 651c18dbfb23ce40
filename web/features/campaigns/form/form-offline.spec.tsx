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

const OFFLINE = 'The server cannot be reached. Check your connection and try again.'
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

const button = (name: string) => screen.findByRole('button', { name }, { timeout: 5000 })

async function change() {
  const page = renderRoute('/campaign/edit/campaign-1?tab=basicInfo')
  await userEvent.type(await screen.findByLabelText('Campaign name'), '!')
  await button('Save & Next')
  return page
}

describe('a save that cannot reach the server', () => {
  it('says so at once, ends, and is not made up for later', async () => {
    await change()
    server.on(updateCampaign, unreachable)
    act(() => onlineManager.setOnline(false))
    await userEvent.click(await button('Save & Next'))
    await waitFor(() => expect(error).toHaveBeenCalledWith(OFFLINE))
    expect(await button('Save & Next')).toHaveAttribute('aria-disabled', 'false')
    expect(server.calls(updateCampaign)).toHaveLength(1)
    act(() => onlineManager.setOnline(true))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(server.calls(updateCampaign)).toHaveLength(1)
    expect(screen.getByText('Unsaved changes')).toBeVisible()
  })

  it('is given up when no answer comes', async () => {
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

  it('is called off when its page is left', async () => {
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
