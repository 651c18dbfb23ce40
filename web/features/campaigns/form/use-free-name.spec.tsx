import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { listCampaigns } from '#contract/campaign-list'
import { getCampaign } from '#contract/campaign'
import { listRowWith, pageOf, signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { campaignWith } from '@/test/campaign-form'
import { freeName } from './use-free-name.ts'

const taken = (...names: string[]) => pageOf(names.map((name, n) => listRowWith({ id: `campaign-${n}`, name })))
const name = () => screen.findByLabelText('Campaign name')

describe('the name of a new campaign', () => {
  it('the name of a new campaign is numbered past those that are taken, and is no unsaved change', async () => {
    signedInServer().on(listCampaigns, () => taken('New Campaign', 'new campaign 2', 'New Campaign 4'))
    renderRoute('/campaign/create')
    await waitFor(async () => expect(await name()).toHaveValue('New Campaign 3'))
    expect(screen.queryByText('Unsaved changes')).toBeNull()
  })

  it('the name of a new campaign is numbered for a copy too', async () => {
    const server = signedInServer()
    server.on(getCampaign, () => campaignWith({ id: 'campaign-1', name: 'Autumn' }))
    server.on(listCampaigns, () => taken('Autumn - Copy'))
    renderRoute('/campaign/create?replicatedId=campaign-1')
    await waitFor(async () => expect(await name()).toHaveValue('Autumn - Copy 2'))
  })

  it('stays as the user has typed it', async () => {
    const server = signedInServer()
    let answer: (names: ReturnType<typeof taken>) => void = () => {}
    server.on(listCampaigns, () => new Promise((resolve) => (answer = resolve)))
    renderRoute('/campaign/create')
    await userEvent.type(await name(), '!')
    answer(taken('New Campaign', 'New Campaign!'))
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(await name()).toHaveValue('New Campaign!')
  })

  it.each([
    [[], 'A'],
    [['a '], 'A 2'],
    [['A', 'A 3'], 'A 2'],
  ])('%j leaves %s free', (names, free) => {
    expect(freeName('A', names)).toBe(free)
  })
})
