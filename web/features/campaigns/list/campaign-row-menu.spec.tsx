import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { toast } from '@/lib/toast'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { STATUS_KEYS } from '../../../../domain/campaign/status/status.ts'
import { CampaignRowMenu } from './campaign-row-menu.tsx'

const report = vi.fn()
const spies = () => ({
  run: { mutate: vi.fn() },
  pause: { mutate: vi.fn() },
  archive: { mutate: vi.fn() },
  replicate: { mutate: vi.fn() },
})
const row = (status_key: number) => ({ id: 'campaign-1', name: 'Autumn', status_key })

async function open(status_key: number) {
  const actions = spies()
  render(<CampaignRowMenu row={row(status_key)} actions={actions} onReport={report} />)
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Autumn' }))
  return actions
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
    const actions = await open(status)
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Pause' }))
    expect(actions.pause.mutate).toHaveBeenCalledWith(row(status))
    expect(screen.queryByRole('menuitem', { name: 'Run' })).toBeNull()
  })

  it.each([
    5, // covers CAM-RUN-11
    40, // covers CAM-RUN-10
    41,
    44,
    45,
  ])('offers Run for status %i', async (status) => {
    const actions = await open(status)
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Run' }))
    expect(actions.run.mutate).toHaveBeenCalledOnce()
    expect(error).not.toHaveBeenCalled()
  })

  // covers CAM-ERR-27
  it.each(REFUSALS)('says why status %i cannot run, and sends nothing', async (status, message) => {
    const actions = await open(status)
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Run' }))
    expect(error).toHaveBeenCalledWith(expect.stringMatching(message))
    expect(actions.run.mutate).not.toHaveBeenCalled()
    expect(actions.pause.mutate).not.toHaveBeenCalled()
  })

  it.each(STATUS_KEYS)('archives once: status %i', async (status) => {
    await open(status)
    expect(screen.queryByRole('menuitem', { name: 'Archive' }) === null).toBe(status === 5)
    expect(await screen.findByRole('menuitem', { name: 'Replicate' })).toBeVisible()
  })
})
