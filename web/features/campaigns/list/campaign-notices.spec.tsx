import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { listCampaigns } from '#contract/campaign-list'
import { pauseCampaign, toggleArchive } from '#contract/campaign'
import { accountReport } from '#contract/reports'
import { toast } from '@/lib/toast'
import { listRowWith, pageOf, refusal, signedInServer, type FakeServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'

let server: FakeServer
const success = vi.spyOn(toast, 'success')
const error = vi.spyOn(toast, 'error')
beforeEach(() => {
  server = signedInServer()
  server.on(listCampaigns, () => pageOf([listRowWith({ currency: 'NGN' })]))
  success.mockClear()
  error.mockClear()
})

const open = async () => {
  renderRoute('/campaigns')
  return screen.findByRole('link', { name: 'Autumn' })
}

describe('the list of campaigns says', () => {
  // covers CAM-ERR-22
  it('the list of campaigns says that a campaign was archived', async () => {
    server.on(toggleArchive, () => ({ id: 'campaign-1', status_key: 5, status_reasons: [], revision: 4, position: '9' }))
    await open()
    await userEvent.click(screen.getByRole('button', { name: 'Actions for Autumn' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Archive' }))
    await waitFor(() => expect(success.mock.calls.map(([text]) => text)).toEqual(['Campaign archived successfully!']))
  })

  const exporting = async () => {
    await open()
    await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }))
  }

  // covers CAM-ERR-25 CAM-ERR-26
  it('the list of campaigns says that the file was exported', async () => {
    server.on(accountReport, () => new Blob(['Name']))
    URL.createObjectURL = () => 'blob:'
    URL.revokeObjectURL = () => {}
    await exporting()
    await waitFor(() => expect(success.mock.calls).toEqual([['CSV file exported successfully!']]))
  })

  it('the list of campaigns says that it was not, once', async () => {
    server.on(accountReport, () => refusal(1, 500))
    await exporting()
    await waitFor(() => expect(error).toHaveBeenCalledOnce())
    expect(success).not.toHaveBeenCalled()
  })

  // covers CAM-ERR-01
  it('the list of campaigns says why the server refused, in its words', async () => {
    server.on(pauseCampaign, () => refusal(134, 409))
    await open()
    await userEvent.click(screen.getByRole('button', { name: 'Actions for Autumn' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Pause' }))
    await waitFor(() => expect(error.mock.calls.flat()).toEqual(['Campaign status does not match the action']))
  })

  it('the list of campaigns says why the server refused, in words of its own for this case', async () => {
    server.on(pauseCampaign, () => refusal(134, 409, [], 'An exchange is deciding'))
    await open()
    await userEvent.click(screen.getByRole('button', { name: 'Actions for Autumn' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Pause' }))
    await waitFor(() => expect(error.mock.calls.flat()).toEqual(['An exchange is deciding']))
  })

  // covers CAM-ERR-03
  it('the list of campaigns says that there is nothing, without an error, when the server has no content', async () => {
    server.on(listCampaigns, () => refusal(204, 200))
    renderRoute('/campaigns')
    expect(await screen.findByText('No campaigns found')).toBeVisible()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(error).not.toHaveBeenCalled()
  })

  // covers CONST-20
  it('the list of campaigns says daily budgets with the sign of the account’s currency', async () => {
    await open()
    for (const text of ['₦4.50 today', '₦20.00 a day']) expect(screen.getByText(text)).toBeVisible()
  })
})
