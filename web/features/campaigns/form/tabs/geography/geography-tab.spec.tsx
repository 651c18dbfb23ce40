import { QueryClient } from '@tanstack/react-query'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { serve, type Asked } from '@/test/server'
import { campaignWith, renderInForm } from '@/test/campaign-form'
import { geographySlice } from './geography-slice.ts'
import GeographyTab from './geography-tab.tsx'

const CITIES = '/v1/geo/city'
const city = (id: string, name: string, population: number) => ({
  id,
  name,
  population,
  timezone: 'Africa/Cairo',
  timezone_offset_seconds: 7200,
  lat: 0,
  lon: 0,
})
let calls: readonly Asked[] = []
beforeEach(() => {
  calls = serve({
    [CITIES]: () => [city('c1', 'Cairo', 7_000_000), city('c2', 'Giza', 2_000_000), city('c3', 'Ḩulwān', 230_000)],
  })
})
afterEach(() => vi.unstubAllGlobals())

const egypt = (city_ids: string[] = []) => {
  const campaign = campaignWith({ country: 'EG' })
  return { ...campaign, targeting: { ...campaign.targeting, city_ids } }
}
function open(campaign = egypt(), readOnly = false) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const { form } = renderInForm(<GeographyTab />, campaign, readOnly, { client })
  return { sent: () => geographySlice.toInput(form().getValues('geography'), campaign).targeting?.city_ids }
}
const box = () => screen.getByRole('combobox', { name: 'Search cities' })
const chips = () =>
  within(screen.getByRole('list', { name: 'Chosen cities' }))
    .getAllByRole('listitem')
    .map((chip) => chip.textContent)

describe('geography', () => {
  // covers CAM-VAL-46
  it('asks for the country first', () => {
    open(campaignWith({}))
    expect(screen.getByText('Please select the Campaign Country to enable manual targeting/Geo Targeting')).toBeVisible()
    expect(screen.queryByRole('combobox')).toBeNull()
    expect(calls).toEqual([])
  })

  // covers CAM-TGT-04
  it("offers the cities of the campaign's country, found without their accents", async () => {
    const { sent } = open()
    expect(screen.getByText('No city chosen: the ads are shown in the whole country.')).toBeVisible()
    await userEvent.click(box())
    await userEvent.click(await screen.findByRole('option', { name: /Giza.*2,000,000/ }))
    await userEvent.type(box(), 'hul{Enter}')
    expect(chips()).toEqual(['Giza', 'Ḩulwān'])
    expect(sent()).toEqual(['c2', 'c3'])
    expect(calls).toMatchObject([{ path: CITIES, query: { country: 'EG' } }])
  })

  it('lets go of all cities at once, and the focus goes to the search', async () => {
    const { sent } = open(egypt(['c1', 'c2']))
    await userEvent.click(screen.getByRole('button', { name: 'Remove all' }))
    expect(sent()).toEqual([])
    expect(box()).toHaveFocus()
  })

  it('keeps and shows a city that the list does not have', async () => {
    const { sent } = open(egypt(['gone']))
    expect(chips()).toEqual(['gone'])
    await userEvent.click(screen.getByRole('button', { name: 'Remove gone' }))
    expect(sent()).toEqual([])
  })

  it('says when the list could not be read, and reads it again', async () => {
    let fails = true
    serve({
      [CITIES]: () => {
        if (fails) throw new Error('down')
        return [city('c1', 'Cairo', 7_000_000)]
      },
    })
    open(egypt(['c1']))
    expect(await screen.findByText('The list could not be loaded.')).toBeVisible()
    fails = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Cairo', { selector: 'ul[aria-label="Chosen cities"] span' })).toBeVisible()
  })

  it('geography can only be looked at by readers', () => {
    open(egypt(['c1', 'c2']), true)
    expect(screen.queryByRole('button')).toBeNull()
  })
})
