import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { STATUS_KEYS } from '#domain/campaign/status/status-keys'
import { offersFor, useCampaignActions } from '@/app/actions'
import { toast } from '@/lib/toast'
import { storeGrant } from '@/session/token-store'
import { CampaignRowMenu } from './campaign-row-menu.tsx'

const USER = { id: 'user-1', roles: ['USER_OWNER'], space_id: 'space-1', whitelabel_id: 'label-1' }
const row = (status_key: number) => ({ id: 'campaign-1', name: 'Autumn', status_key, space_id: 'space-1' })

function Menu({ status }: { readonly status: number }) {
  const perform = useCampaignActions([], { replicate: () => undefined, report: () => undefined, schedule: () => undefined })
  return <CampaignRowMenu name="Autumn" offers={offersFor(USER, row(status))} onChoose={(offer) => perform(offer, row(status))} />
}

const sent: string[] = []
beforeEach(() => {
  sent.length = 0
  storeGrant({ access_token: 'a', expires_in: 3600, space_id: 'space-1' }, Date.now())
  vi.stubGlobal('fetch', async (url: string) => {
    sent.push(url)
    const data = { id: 'campaign-1', status_key: 41, status_reasons: [], revision: 2, position: '9' }
    return Response.json({ type: { code: 0, key: 'OK', message: '' }, data })
  })
})
afterEach(() => vi.unstubAllGlobals())

async function open(status: number) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Menu status={status} />
    </QueryClientProvider>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Autumn' }))
}

const REFUSALS = [
  [0, /^Draft campaign cannot be published from the list/], // covers CAM-RUN-01 CAM-RUN-12
  [1, /until it is approved/i], // covers CAM-RUN-02 CAM-RUN-13
  [2, /campaign is rejected/i], // covers CAM-RUN-03 CAM-RUN-14
  [42, /add budget/i], // covers CAM-RUN-05 CAM-RUN-16
  [43, /extend its end date/i], // covers CAM-RUN-04 CAM-RUN-15
] as const

const error = vi.spyOn(toast, 'error')
beforeEach(() => error.mockClear())

describe('the menu of a row', () => {
  it.each([3, 6, 31])('offers Pause for status %i', async (status) => {
    await open(status)
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Pause' }))
    await waitFor(() => expect(sent).toEqual(['/v1/campaign/pause']))
    expect(screen.queryByRole('menuitem', { name: 'Run' })).toBeNull()
  })

  it.each([
    5, // covers CAM-RUN-11
    40, // covers CAM-RUN-10
    41,
    44,
    45,
  ])('offers Run for status %i', async (status) => {
    await open(status)
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Run' }))
    await waitFor(() => expect(sent).toEqual(['/v1/campaign/run']))
    expect(error).not.toHaveBeenCalled()
  })

  // covers CAM-ERR-27
  it.each(REFUSALS)('says why status %i cannot run, and sends nothing', async (status, message) => {
    await open(status)
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Run' }))
    expect(error).toHaveBeenCalledWith(expect.stringMatching(message))
    expect(sent).toEqual([])
  })

  it.each(STATUS_KEYS)('archives once: status %i', async (status) => {
    await open(status)
    expect(screen.queryByRole('menuitem', { name: 'Archive' }) === null).toBe(status === 5)
    expect(await screen.findByRole('menuitem', { name: 'Replicate' })).toBeVisible()
  })
})
