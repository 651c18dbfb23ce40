import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { fakeUploads, fileOf, picturesOf } from '@/test/fake-uploads'
import { campaignWith, renderInForm } from '@/test/campaign-form'
import { toPayload } from '@/features/campaigns/form/form-mapping'
import { canBecome } from '#domain/campaign/content/media-rules'
import { BannerAdsTab } from './banner-ads-tab.tsx'

const stored = (creativeServingDecision: object | null = null): Campaign =>
  campaignWith({
    visuals: {
      banners: [
        {
          id: 'b-1',
          width: 320,
          height: 50,
          file_id: 'f-1',
          url: '/f-1',
          creative_name: 'leader',
          type_key: 1,
          size_key: 102,
          creativeServingDecision,
        },
      ],
    },
  } as object)
/** Answer about a stored file. */
const filesAre = (type: string, warnings = '') => {
  vi.stubGlobal('fetch', async () => new Response(null, { headers: { 'Content-Type': type, 'X-File-Warnings': warnings } }))
  onTestFinished(() => void vi.unstubAllGlobals())
}
const choose = (file: File) => userEvent.upload(screen.getByLabelText('Choose a file'), file, { applyAccept: false })
const card = (name: string) => within(screen.getByRole('article', { name }))

describe('banner ads', () => {
  // covers CAM-CRE-77
  it('banner ads are switched on by asking for them, and stay on while there is one', async () => {
    const other = campaignWith({ native_ad_enabled: true })
    renderInForm(<BannerAdsTab />, other)
    const toggle = screen.getByRole('switch', { name: 'Show these ads' })
    expect(toggle).not.toBeChecked()
    expect(screen.queryByLabelText('Choose a file')).toBeNull()
    await userEvent.click(toggle)
    expect(toggle).toBeChecked()
    const wire = fakeUploads()
    picturesOf(300, 250)
    await choose(fileOf('one.png', 'image/png'))
    await wire.succeed({ width: 300, height: 250, name: 'one.png' })
    expect(toggle).toBeChecked()
    expect(toggle).toBeDisabled()
    await userEvent.click(screen.getByRole('button', { name: 'Remove one' }))
    expect(toggle).toBeEnabled()
  })

  // covers CAM-CRE-17
  it('banner ads are shown as they will look', async () => {
    filesAre('image/png')
    renderInForm(<BannerAdsTab />, stored())
    expect(card('leader').getByRole('img', { name: 'Preview of leader' })).toHaveAttribute('src', '/f-1')
    expect(card('leader').getByText('320x50')).toBeVisible()
  })

  // covers CAM-CVAL-44
  it('banner ads say before an HTML banner is sent that it should have no click links', () => {
    renderInForm(<BannerAdsTab />)
    expect(screen.getByText(/without click links \(otherwise click metrics are not tracked\)/)).toBeVisible()
  })

  it('banner ads play an HTML banner where its scripts can do no harm, and warn of its links', async () => {
    filesAre('application/zip', 'clickLinks')
    renderInForm(<BannerAdsTab />, stored())
    const frame = await card('leader').findByTitle('HTML banner leader')
    expect(frame).toHaveAttribute('src', '/v1/file/banner/f-1/index.html')
    expect(frame).toHaveAttribute('sandbox', 'allow-scripts')
    expect(card('leader').getByText(/has click links of its own: click metrics are not tracked/)).toBeVisible()
    expect(card('leader').queryByText(/loads files from other hosts/)).toBeNull()
  })

  it('banner ads name the hosts whose files the frame refuses, and lead to the help', async () => {
    filesAre('application/zip', 'externalFiles:code.createjs.com,externalFiles:s0.2mdn.net')
    renderInForm(<BannerAdsTab />, stored())
    expect(await card('leader').findByText(/stay blank: code\.createjs\.com, s0\.2mdn\.net\./)).toBeVisible()
    expect(card('leader').queryByText(/click links of its own/)).toBeNull()
    expect(card('leader').getByRole('link', { name: /How HTML banners work/ })).toHaveAttribute('href', '/help/html-banners')
  })

  it('banner ads give an HTML banner the click address of the form, in which a separate one stays', async () => {
    filesAre('application/zip')
    const { form } = renderInForm(<BannerAdsTab />, { ...stored(), product_url: 'https://shop.example/a' })
    const frame = await card('leader').findByTitle('HTML banner leader')
    const gets = (address: string) => `/v1/file/banner/f-1/index.html?clickTag=${encodeURIComponent(address)}`
    expect(frame).toHaveAttribute('src', gets('https://shop.example/a'))
    act(() => form().setValue('productUrl', 'https://shop.example/b'))
    expect(frame).toHaveAttribute('src', gets('https://shop.example/b'))
  })

  it('banner ads are sent for the chosen size, named after their file', async () => {
    const wire = fakeUploads()
    picturesOf(1456, 180)
    const { form } = renderInForm(<BannerAdsTab />)
    await userEvent.selectOptions(screen.getByLabelText('Banner size'), '728x90')
    await choose(fileOf('Giza at dawn.png', 'image/png'))
    await wire.succeed({ width: 728, height: 90, name: 'Giza at dawn.png', file_id: 'f', file_url: '/f' })
    expect(wire.sent()[0]).toContain('width=728&height=90')
    expect(toPayload(form().getValues(), 'awareness').visuals?.banners).toMatchObject([
      { width: 728, height: 90, size_key: 103, file_id: 'f', creative_name: 'Giza_at_dawn' },
    ])
  })

  it('banner ads find the size that each fits, whatever is chosen', async () => {
    const wire = fakeUploads()
    renderInForm(<BannerAdsTab />)
    for (const [width, height, sent] of [
      [728, 90, 'width=728&height=90'],
      [1600, 1600, 'width=250&height=250'],
      [640, 100, 'width=320&height=50'],
      [600, 500, 'width=300&height=250'],
    ] as const) {
      picturesOf(width, height)
      await choose(fileOf(`${width}.png`, 'image/png'))
      await wire.succeed({ width, height, name: `${width}.png` })
      expect(wire.sent().at(-1)).toContain(sent)
    }
  })

  it('banner ads of no known size are cut after a question, which can be declined', async () => {
    const wire = fakeUploads()
    picturesOf(1000, 1001)
    renderInForm(<BannerAdsTab />)
    await choose(fileOf('odd.png', 'image/png', 900_000))
    const question = await screen.findByRole('dialog', { name: 'Cut to 300 × 250' })
    expect(question).toHaveTextContent('odd.png has another size.')
    await userEvent.click(within(question).getByRole('button', { name: 'Do not use it' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('odd.png: the banner dimensions should be 300x250')
    expect(wire.sent()).toEqual([])
  })

  // covers CAM-CVAL-52 CAM-CVAL-53
  it.each([
    [{ width: 120, height: 80 }, true],
    [{ width: 119, height: 80 }, false],
    [{ width: 120, height: 79 }, false],
    [{ width: 1200, height: 1200 }, true],
    [{ width: 1201, height: 1200 }, false],
    [{ width: 1200, height: 1201 }, false],
  ])('banner ads are made as large as %o: %s', (target, possible) => {
    expect(canBecome({ width: 4000, height: 4000 }, target)).toBe(possible)
    // Never larger than they are.
    expect(canBecome({ width: target.width - 1, height: 4000 }, target)).toBe(false)
    expect(canBecome({ width: 4000, height: target.height - 1 }, target)).toBe(false)
  })

  it('banner ads dropped together are all sent, three at the same time', async () => {
    const wire = fakeUploads()
    picturesOf(300, 250)
    const { form } = renderInForm(<BannerAdsTab />)
    const files = ['a', 'b', 'c', 'd'].map((name) => fileOf(`${name}.png`, 'image/png'))
    await userEvent.upload(screen.getByLabelText('Choose a file'), files, { applyAccept: false })
    await waitFor(() => expect(wire.sent()).toHaveLength(3))
    expect(screen.getAllByRole('progressbar')).toHaveLength(3)
    expect(screen.getAllByText('Waiting')).toHaveLength(1)
    await wire.succeed({ width: 300, height: 250, name: 'c.png', file_id: 'f-c', file_url: '/f-c' })
    await waitFor(() => expect(wire.sent()).toHaveLength(4))
    await wire.succeed({ width: 300, height: 250, name: 'd.png', file_id: 'f-d', file_url: '/f-d' })
    expect(form().getValues('banners')).toMatchObject([{ creativeName: 'd' }, { creativeName: 'c' }])
    expect(screen.getAllByRole('progressbar')).toHaveLength(2)
  })

  it('banner ads that the campaign has already are refused, also while they are being sent, and can come back after a removal', async () => {
    const wire = fakeUploads()
    picturesOf(300, 250)
    const { form } = renderInForm(<BannerAdsTab />)
    const same = () => fileOf('again.png', 'image/png', 10, 'the same')
    await userEvent.upload(screen.getByLabelText('Choose a file'), [fileOf('first.png', 'image/png', 10, 'the same'), same()], {
      applyAccept: false,
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('again.png: The campaign has this file already.')
    await wire.succeed({ width: 300, height: 250, name: 'first.png', file_id: 'f-1', file_url: '/f-1' })
    await choose(same())
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('The campaign has this file already.'))
    expect(wire.sent()).toHaveLength(1)
    await userEvent.click(screen.getByRole('button', { name: 'Remove first' }))
    await choose(same())
    await wire.succeed({ width: 300, height: 250, name: 'again.png', file_id: 'f-2', file_url: '/f-2' })
    expect(form().getValues('banners')).toMatchObject([{ fileId: 'f-2' }])
  })

  it('banner ads that could not be sent are no duplicates of themselves', async () => {
    const wire = fakeUploads()
    picturesOf(300, 250)
    renderInForm(<BannerAdsTab />)
    await choose(fileOf('a.png', 'image/png'))
    await wire.refuse(11, 'Broken')
    await choose(fileOf('a.png', 'image/png'))
    await waitFor(() => expect(wire.sent()).toHaveLength(2))
  })

  it('banner ads are replaced in their place, with their name and size', async () => {
    filesAre('image/png')
    const wire = fakeUploads()
    picturesOf(640, 100)
    const { form } = renderInForm(<BannerAdsTab />, stored())
    await userEvent.upload(screen.getByLabelText('Another file for leader'), fileOf('new.png', 'image/png'), {
      applyAccept: false,
    })
    await wire.succeed({ width: 320, height: 50, name: 'new.png', file_id: 'f-9', file_url: '/f-9' })
    expect(wire.sent()[0]).toContain('width=320&height=50')
    expect(form().getValues('banners')).toMatchObject([
      { id: 'b-1', width: 320, height: 50, fileId: 'f-9', url: '/f-9', creativeName: 'leader' },
    ])
  })

  it('banner ads that an exchange refused come first', () => {
    filesAre('image/png')
    const refused = { status: 'disapproved', topics: [] }
    const decision = { dealsPolicyCompliance: refused, networkPolicyCompliance: refused, platformPolicyCompliance: refused }
    const [one] = stored().visuals.banners
    const banners = ['fine', 'refused', 'new'].map((creative_name, index) => ({
      ...one,
      id: `b-${index}`,
      file_id: `f-${index}`,
      creative_name,
      creativeServingDecision: creative_name === 'refused' ? decision : null,
    }))
    renderInForm(<BannerAdsTab />, campaignWith({ visuals: { banners } } as object))
    expect(screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))).toEqual(['refused', 'fine', 'new'])
  })

  it('banner ads refuse what cannot be used, with the reason', async () => {
    const wire = fakeUploads()
    picturesOf(320, 100)
    renderInForm(<BannerAdsTab />)
    const refused = [
      [fileOf('long.png', 'image/png'), 'long.png: the banner dimensions should be 300x250'],
      [fileOf('big.png', 'image/png', 500_000), 'Original image is too big, must be under 500000 bytes'],
      [fileOf('big.zip', 'application/zip', 10_485_761), 'A zip should be up to 10 MB'],
      [fileOf('text.txt', 'text/plain'), 'Only JPG, PNG, GIF and WebP images and zip files can be used.'],
    ] as const
    for (const [file, reason] of refused) {
      await choose(file)
      expect(screen.getByRole('alert')).toHaveTextContent(reason)
    }
    expect(wire.sent()).toEqual([])
  })

  it('banner ads are removed without losing the focus', async () => {
    filesAre('image/png')
    renderInForm(<BannerAdsTab />, stored())
    await userEvent.click(screen.getByRole('button', { name: 'Remove leader' }))
    expect(screen.getByText('No banners yet')).toBeVisible()
    expect(screen.getByRole('region', { name: 'Uploaded banners' })).toHaveFocus()
  })

  const compliance = (status: string, ...topics: readonly string[]) => ({
    status,
    topics: topics.map((policyTopic) => ({ policyTopic })),
  })
  const fine = compliance('approved')

  // covers CAM-ERR-28
  it('banner ads tell what an exchange refused, and why', () => {
    filesAre('image/png')
    renderInForm(
      <BannerAdsTab />,
      stored({
        dealsPolicyCompliance: compliance('disapproved', 'Alcohol'),
        networkPolicyCompliance: compliance('disapproved', 'Alcohol', 'Destination'),
        platformPolicyCompliance: fine,
      }),
    )
    expect(card('leader').getByText('Disapproved: Alcohol, Destination')).toBeVisible()
  })

  // covers CAM-ERR-29
  it('banner ads tell what an exchange has yet to decide', () => {
    filesAre('image/png')
    renderInForm(
      <BannerAdsTab />,
      stored({
        dealsPolicyCompliance: fine,
        networkPolicyCompliance: compliance('pending'),
        platformPolicyCompliance: fine,
      }),
    )
    expect(card('leader').getByText('The creative is pending review')).toBeVisible()
  })
})
