import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createCampaign, getCampaign, publishCampaign, updateCampaign } from '#contract/campaign'
import { countries, dictionary } from '#contract/reference'
import { referenceQueries } from '@/data/reference-queries'
import { toast } from '@/lib/toast'
import { refusal, signedInServer, type FakeServer } from '@/test/fake-server'
import { foundCountries, pickCountry } from '@/test/pick-country'
import { renderRoute } from '@/test/render-route'
import { campaignWith } from '@/test/campaign-form'

const bidding_strategy = { ...campaignWith({}).bidding_strategy, type: 'awareness', goal: 'MAXIMIZED_REACH' }

let server: FakeServer
const error = vi.spyOn(toast, 'error')
beforeEach(() => {
  server = signedInServer()
  server.on(getCampaign, () => campaignWith({ name: 'Autumn', country: 'EGY', bidding_strategy }))
  error.mockClear()
})

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('a field that is wrong', () => {
  // covers CAM-FORM-57
  it('says so under it once it was touched, and one thing only', async () => {
    renderRoute('/campaign/create')
    const name = await screen.findByLabelText('Campaign name')
    await userEvent.clear(name)
    expect(screen.queryByText('Field is required.')).toBeNull()
    expect(name).toHaveAttribute('aria-invalid', 'false')
    await userEvent.tab()
    await waitFor(() => expect(name).toHaveAttribute('aria-invalid', 'true'))
    expect(name).toHaveAccessibleDescription('Field is required.')
    expect(screen.getAllByText('Field is required.')).toHaveLength(1)
  })

  // covers CAM-FORM-58
  it('a field that is wrong is shown when a save is attempted, the first of them with the focus and what is wrong', async () => {
    renderRoute('/campaign/edit/campaign-1?tab=basicInfo')
    const name = await screen.findByLabelText('Campaign name')
    await userEvent.clear(name)
    await userEvent.type(screen.getByLabelText('Daily budget'), 'much')
    await press('Save & Next')
    const alert = await screen.findByRole('alert')
    expect(
      within(alert)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Campaign name: Field is required.', 'Daily budget: Only positive numbers allowed.'])
    await waitFor(() => expect(name).toHaveFocus())
    expect(name).toHaveAccessibleDescription('Field is required.')
    expect(server.calls(updateCampaign)).toHaveLength(0)
  })

  // covers CAM-FORM-59
  it('a field that is wrong on another section opens that section, with the focus on it', async () => {
    const { address } = renderRoute('/campaign/edit/campaign-1?tab=basicInfo')
    await userEvent.clear(await screen.findByLabelText('Campaign name'))
    await userEvent.click(screen.getByRole('link', { name: /Banner ads/ }))
    await waitFor(() => expect(address()).toContain('tab=bannerAds'))
    await press('Save & Next')
    await waitFor(() => expect(screen.getByLabelText('Campaign name')).toHaveFocus())
    expect(address()).toContain('tab=basicInfo')
    expect(screen.getByRole('link', { name: /Campaign setup.*has errors/ })).toBeVisible()
  })

  it('a field that is wrong for the server opens its section as well, and is named in a notice', async () => {
    const budget = { path: 'budget', code: 1301, message: 'Missing mandatory field(s)', tab: 'basicInfo' }
    server.on(publishCampaign, () => refusal(135, 200, [budget]))
    const { address } = renderRoute('/campaign/edit/campaign-1?tab=geography')
    await screen.findByRole('link', { name: /Geography/ })
    await press('Publish')
    await waitFor(() => expect(screen.getByLabelText('Daily budget')).toHaveFocus())
    expect(address()).toContain('tab=basicInfo')
    expect(error).toHaveBeenCalledWith(expect.stringMatching(/^Daily budget: /))
  })
})

// covers CAM-FORM-60
it('a country is set only when it was asked about', async () => {
  server.on(countries, () => [{ iso_code: 'EGY', name: 'Egypt', timezone_offset_seconds: 7200 }])
  server.on(createCampaign, () => refusal(2, 400))
  renderRoute('/campaign/create')
  const country = await screen.findByLabelText('Country')
  for (const [answer, value] of [
    ['Cancel', ''],
    ['Set country', 'Egypt'],
  ] as const) {
    await pickCountry('egy')
    const dialog = await screen.findByRole('alertdialog', { name: 'Set the country to Egypt?' })
    await userEvent.click(within(dialog).getByRole('button', { name: answer }))
    await waitFor(() => expect(country).toHaveValue(value))
  }
})

// covers CAM-ERR-56
it('a list of choices that cannot be had leaves the page usable, and is not kept', async () => {
  server.on(dictionary, () => refusal(1, 500))
  const manual = { ...campaignWith({}).targeting, automaticTargeting: false }
  server.on(getCampaign, () => campaignWith({ name: 'Autumn', country: 'EGY', bidding_strategy, targeting: manual }))
  const { queryClient } = renderRoute('/campaign/edit/campaign-1?tab=targeting')
  await waitFor(() => expect(server.calls(dictionary).length).toBeGreaterThan(0))
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  for (const name of ['interests', 'languages'] as const)
    expect(queryClient.getQueryData(referenceQueries.dictionary(name, 'en').queryKey)).toBeUndefined()
  await userEvent.click(await screen.findByRole('link', { name: 'Campaign setup' }))
  expect(await screen.findByLabelText('Campaign name')).toHaveValue('Autumn')
})

it('a country found by keys is asked about once it is chosen, and the focus goes on from there', async () => {
  const offered = ['Ecuador', 'Egypt'].map((name) => ({ iso_code: name.slice(0, 2), name, timezone_offset_seconds: 0 }))
  server.on(countries, () => offered)
  renderRoute('/campaign/create')
  const country = await screen.findByLabelText('Country')
  expect(await foundCountries('e')).toEqual(['Ecuador', 'Egypt'])
  await userEvent.keyboard('{ArrowDown}')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  await userEvent.keyboard('{Enter}')
  const dialog = await screen.findByRole('alertdialog', { name: 'Set the country to Egypt?' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Set country' }))
  expect(country).toBeDisabled()
  expect(country).toHaveValue('Egypt')
  await waitFor(() => expect(screen.getByLabelText('Start date')).toHaveFocus())
})

describe('a campaign that cannot be loaded', () => {
  // covers CAM-ERR-05 CAM-ERR-06
  it('leads to the list, which says that something went wrong, once', async () => {
    server.on(getCampaign, () => refusal(130, 404))
    const { address } = renderRoute('/campaign/edit/unknown')
    await waitFor(() => expect(address()).toBe('/campaigns'))
    expect(error.mock.calls).toEqual([['Something went wrong!']])
  })
})
