import { screen, within } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { campaignWith, renderInForm } from '@/test/campaign-form'
import { CreativesReview } from './creatives-review.tsx'

it('a moderator sees the warnings of an HTML banner, which plays with the click address of the submission', async () => {
  const warnings = 'clickLinks,externalFiles:code.createjs.com'
  vi.stubGlobal('fetch', async () => {
    return new Response(null, { headers: { 'Content-Type': 'application/zip', 'X-File-Warnings': warnings } })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const banner = {
    id: 'b-1',
    width: 300,
    height: 250,
    file_id: 'f-1',
    url: '/f-1',
    creative_name: 'sale',
    type_key: 1,
    size_key: 101,
  }
  const campaign = campaignWith({
    product_url: 'https://shop.example/sale',
    visuals: { banners: [{ ...banner, creativeServingDecision: null }] },
  })
  renderInForm(<CreativesReview campaign={campaign} />, campaign)
  const card = within(await screen.findByRole('article', { name: 'sale' }))
  expect(await card.findByText(/click links of its own/)).toBeVisible()
  expect(card.getByText(/stay blank: code\.createjs\.com/)).toBeVisible()
  expect(card.getByTitle('HTML banner sale').getAttribute('src')).toContain('?clickTag=https%3A%2F%2Fshop.example%2Fsale')
})
