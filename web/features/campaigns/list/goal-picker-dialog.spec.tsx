import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { toast } from '@/lib/toast'
import { describe, expect, it, vi } from 'vitest'
import { renderRoute } from '@/test/render-route'
import { signedInServer } from '@/test/fake-server'

async function pick(audio: boolean) {
  signedInServer({ audio })
  const page = renderRoute('/campaigns')
  const [button] = await screen.findAllByRole('button', { name: 'New campaign' })
  if (button === undefined) throw new Error('no button adds a campaign')
  await userEvent.click(button)
  return { ...page, dialog: await screen.findByRole('dialog', { name: 'What do you want to achieve?' }) }
}

describe('choosing an objective for a new campaign', () => {
  // covers CAM-LIST-26 CAM-GOAL-01..04
  it('offers all four where there is audio', async () => {
    const { dialog } = await pick(true)
    for (const name of ['Awareness', 'Consideration', 'Conversion', 'Audio'])
      expect(within(dialog).getByRole('button', { name })).toHaveAccessibleDescription(/./)
    expect(within(dialog).getByText(/Voice Reward Ads/)).toBeVisible()
  })

  // covers CAM-GOAL-05 CAM-GEN-12
  it('leaves out audio where there is none', async () => {
    const { dialog } = await pick(false)
    expect(within(dialog).queryByRole('button', { name: 'Audio' })).toBeNull()
    expect(within(dialog).getByRole('button', { name: 'Conversion' })).toBeVisible()
  })

  // covers CAM-GOAL-06 CAM-GOAL-08 CAM-ROUTE-03
  it.each([
    ['Awareness', 'awareness', 'Enhanced exposure'],
    ['Consideration', 'consideration', 'Landing page traffic'],
    ['Conversion', 'conversion', 'Web standard conversion'],
  ])('%s opens the form of a new campaign with its goals', async (name, type, goal) => {
    const { dialog, address } = await pick(true)
    await userEvent.click(within(dialog).getByRole('button', { name }))
    expect(await screen.findByRole('heading', { name: 'New campaign', level: 1 })).toBeVisible()
    expect(address()).toBe(`/campaign/create?tab=basicInfo&type=${type}`)
    expect((await screen.findAllByText(goal))[0]).toBeVisible()
  })

  // covers CAM-ROUTE-05
  it('a new campaign opens on the tab that the address names', async () => {
    signedInServer()
    renderRoute('/campaign/create?tab=targeting')
    const sections = await screen.findByRole('navigation', { name: 'Form sections' })
    expect(await within(sections).findByRole('link', { name: /Targeting/, current: 'page' })).toBeVisible()
    expect(screen.queryByLabelText('Campaign name')).toBeNull()
  })

  // covers CAM-GOAL-07
  it('makes the form one for audio with Audio only', async () => {
    const { dialog, address } = await pick(true)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Audio' }))
    await screen.findByRole('heading', { name: 'New campaign', level: 1 })
    expect(address()).toBe('/campaign/create?tab=basicInfo&type=other')
    const sections = await screen.findByRole('navigation', { name: 'Form sections' })
    expect(within(sections).getByRole('link', { name: /Tracks/ })).toBeVisible()
    expect(within(sections).queryByRole('link', { name: /Banner ads/ })).toBeNull()
  })

  // covers CAM-GOAL-09
  it('says that audio is not available to those who ask for it all the same', async () => {
    const error = vi.spyOn(toast, 'error')
    signedInServer({ audio: false })
    const { address } = renderRoute('/campaign/create?tab=basicInfo&type=other')
    expect(await screen.findByText('No campaigns found')).toBeVisible()
    expect(address()).toBe('/campaigns')
    expect(error).toHaveBeenCalledWith('Audio Ads are not yet available in your country.')
  })
})
