import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { fakeUploads, fileOf, filmsOf, picturesOf } from '@/test/fake-uploads'
import { campaignWith, renderInForm } from '@/test/campaign-form'
import { placeFaults } from '@/features/campaigns/form/form-faults'
import { toPayload } from '@/features/campaigns/form/form-mapping'
import NativeTab from './native-tab.tsx'

const withGoal = (goal: string) =>
  campaignWith({ bidding_strategy: { ...campaignWith({}).bidding_strategy, type: 'consideration', goal } })
const logoVariant = withGoal('LANDING_PAGE_TRAFFIC')
const appInstall = withGoal('APP_INSTALLS')
const slot = (name: string) => screen.getByRole('group', { name })
const add = (name: string) => within(slot(name)).getByLabelText(`Add ${name}`)
const preview = () => within(screen.getByRole('complementary', { name: 'Preview' }))

describe('the native ad', () => {
  // covers CAM-CRE-01 CAM-CRE-02 CAM-CRE-03
  it('the native ad has a slot for a video, a landscape and a square image, each with the sizes it takes', () => {
    renderInForm(<NativeTab />, logoVariant)
    const limits = { 'Landscape image': '1200x627 px', 'Square image': '600x600 px', Video: '480x360, 640x360 or 1920x800' }
    for (const [name, text] of Object.entries(limits)) {
      expect(add(name)).toBeEnabled()
      expect(slot(name)).toHaveAccessibleDescription(expect.stringContaining(text))
    }
  })

  // covers CAM-CRE-04 CAM-CRE-05 CAM-CRE-06
  it('shows each image in its slot, takes no second one, and can remove it', async () => {
    const { form } = renderInForm(<NativeTab />, logoVariant)
    for (const [name, width, height, url] of [
      ['Landscape image', 1200, 627, '/wide'],
      ['Square image', 600, 600, '/square'],
    ] as const) {
      const wire = fakeUploads()
      picturesOf(width, height)
      await userEvent.upload(add(name), fileOf('picture.png', 'image/png'))
      await wire.succeed({ file_id: url, file_url: url })
      expect(wire.sent()[0]).toContain(`width=${width}&height=${height}`)
      expect(within(slot(name)).getByRole('img', { name })).toHaveAttribute('src', url)
      expect(add(name)).toBeDisabled()
    }
    expect(
      form()
        .getValues('native.images')
        .map(({ url }) => url),
    ).toEqual(['/wide', '/square'])
    await userEvent.click(screen.getByRole('button', { name: 'Remove Landscape image' }))
    expect(within(slot('Landscape image')).queryByRole('img')).toBeNull()
    expect(add('Landscape image')).toBeEnabled()
    expect(slot('Landscape image')).toHaveFocus()
    expect(
      form()
        .getValues('native.images')
        .map(({ url }) => url),
    ).toEqual(['/square'])
  })

  // covers CAM-CRE-07 CAM-CRE-08 CAM-CRE-16
  it('shows a logo and the advertiser, or for an app its icon', () => {
    renderInForm(<NativeTab />, logoVariant)
    expect(add('Logo')).toBeEnabled()
    expect(screen.queryByRole('group', { name: 'App icon' })).toBeNull()
    expect(screen.getByLabelText('Advertiser')).toBeEnabled()
    cleanup()
    renderInForm(<NativeTab />, appInstall)
    expect(add('App icon')).toBeEnabled()
    expect(screen.queryByRole('group', { name: 'Logo' })).toBeNull()
    expect(screen.queryByLabelText('Advertiser')).toBeNull()
  })

  // covers CAM-CRE-09
  it('says in the slot of the logo that it is missing', () => {
    const { form } = renderInForm(<NativeTab />, logoVariant)
    const fault = { path: 'native_ad.logo', code: 135, message: 'A logo is needed' }
    const [placed] = placeFaults([fault], { banners: [], slices: form().getValues() })
    expect(placed).toMatchObject({ field: 'native.logo', tab: 'nativeAds' })
    act(() => form().setError('native.logo', { type: 'server', message: fault.message }))
    expect(slot('Logo')).toHaveAccessibleDescription(expect.stringContaining('A logo is needed'))
  })

  // covers CAM-CRE-10 CAM-CRE-11
  it('the native ad of an app may have a rating, and a price in dollars', async () => {
    const { form } = renderInForm(<NativeTab />, appInstall)
    await userEvent.selectOptions(screen.getByLabelText('Star rating'), 'Not chosen')
    expect(toPayload(form().getValues(), appInstall).native_ad).toMatchObject({ star_rating: null })
    const price = screen.getByLabelText('Price')
    expect(price.parentElement).toHaveTextContent('$')
    await userEvent.clear(price)
    expect(await form().trigger('native')).toBe(true)
    await userEvent.type(price, '2.50')
    expect(preview().getByText('$2.50')).toBeVisible()
    cleanup()
    renderInForm(<NativeTab />, logoVariant)
    for (const label of ['Star rating', 'Price']) expect(screen.queryByLabelText(label)).toBeNull()
  })

  // covers CAM-CRE-13
  it('the native ad has a description of several lines', async () => {
    renderInForm(<NativeTab />, logoVariant)
    const description = screen.getByLabelText('Description')
    expect(description.tagName).toBe('TEXTAREA')
    await userEvent.type(description, 'One{enter}Two')
    expect(description).toHaveValue('One\nTwo')
  })

  // covers CAM-CRE-19
  it('the native ad is shown as it will look, while it is made', async () => {
    renderInForm(<NativeTab />, logoVariant)
    const texts = { Headline: 'Sunrise', Description: 'Over the river', 'Call to action': 'Book', Advertiser: 'Nile' }
    for (const [label, text] of Object.entries(texts)) await userEvent.type(screen.getByLabelText(label), text)
    for (const text of ['Sunrise', 'Over the river', 'Book', 'Nile · Sponsored']) expect(preview().getByText(text)).toBeVisible()
  })

  // covers CAM-CRE-78
  it('the native ad is switched on and off', async () => {
    const { form } = renderInForm(<NativeTab />, logoVariant)
    const toggle = screen.getByRole('switch', { name: 'Show these ads' })
    for (const on of [true, false]) {
      await userEvent.click(toggle)
      expect(toPayload(form().getValues(), logoVariant).native_ad_enabled).toBe(on)
    }
  })

  // covers CAM-ERR-23
  it('says that a video is there', async () => {
    const wire = fakeUploads()
    filmsOf(640, 360)
    renderInForm(<NativeTab />, logoVariant)
    await userEvent.upload(add('Video'), fileOf('film.mp4', 'video/mp4'))
    await wire.succeed({ name: 'film.mp4', duration: 12 })
    expect(within(slot('Video')).getByText('video uploaded successfully')).toBeVisible()
    expect(within(slot('Video')).getByText(/^0:12/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Remove Video' }))
    expect(screen.queryByText('video uploaded successfully')).toBeNull()
  })

  it('counts bytes, and says at once what is too long', async () => {
    renderInForm(<NativeTab />, logoVariant)
    await userEvent.type(screen.getByLabelText('Headline'), 'Рассвет Нила')
    expect(screen.getByText('23/25 bytes')).toBeVisible()
    await userEvent.type(screen.getByLabelText('Headline'), '!!!')
    expect(screen.getByText('26/25 bytes')).toBeVisible()
    expect(screen.getByText('Maximum 25 characters allowed!')).toBeVisible()
  })

  it('the native ad cannot be changed by those who only read', () => {
    renderInForm(<NativeTab />, logoVariant, true)
    expect(screen.getByRole('switch', { name: 'Show these ads' })).toBeDisabled()
    expect(screen.queryByLabelText('Add Logo')).toBeNull()
    expect(screen.getByLabelText('Headline')).toHaveAttribute('readonly')
  })
})
