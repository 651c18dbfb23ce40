import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { campaignWith, renderInForm } from '@/test/campaign-form'
import { toPayload } from '@/features/campaigns/form/form-mapping'
import ResponsiveTab from './responsive-tab.tsx'

const campaign = campaignWith({})
const preview = () => within(screen.getByRole('complementary', { name: 'Preview' }))

describe('the responsive ad', () => {
  it('the responsive ad is shown as it will look, while it is made', async () => {
    renderInForm(<ResponsiveTab />, campaign)
    const texts = { 'Title 1': 'Sunrise', 'Description 1': 'Over the river', 'Company name': 'Nile', 'Call to action': 'Book' }
    for (const [label, text] of Object.entries(texts)) {
      await userEvent.type(screen.getByLabelText(label), text)
      expect(preview().getByText(text)).toBeVisible()
    }
  })

  it('the responsive ad has its button in the chosen colour, with text that reads on it', async () => {
    const { form } = renderInForm(<ResponsiveTab />, campaign)
    await userEvent.type(screen.getByLabelText('Call to action'), 'Book')
    const color = screen.getByLabelText('Button colour')
    for (const [shade, ink] of [
      ['102030', '#fff'],
      ['ffe08a', '#000'],
    ] as const) {
      await userEvent.clear(color)
      await userEvent.type(color, shade)
      expect(preview().getByText('Book')).toHaveStyle({ background: `#${shade}`, color: ink })
      expect(toPayload(form().getValues(), campaign).dynamic_ad?.call_to_action_color).toBe(`#${shade}`)
    }
  })

  it('the responsive ad has up to five titles, which keep the index they were given', async () => {
    const { form } = renderInForm(<ResponsiveTab />, campaign)
    const add = screen.getByRole('button', { name: 'Add a title' })
    for (const title of ['One', 'Two', 'Three']) {
      await userEvent.type(screen.getAllByLabelText(/^Title \d$/).at(-1) ?? add, title)
      await userEvent.click(add)
    }
    await userEvent.click(screen.getByRole('button', { name: 'Remove Title 1' }))
    expect(toPayload(form().getValues(), campaign).dynamic_ad?.titles).toEqual([
      { index: 1, value: 'Two' },
      { index: 2, value: 'Three' },
    ])
    for (let rows = 3; rows < 5; rows++) await userEvent.click(add)
    expect(add).toBeDisabled()
  })

  it('says when it was filled in but is not switched on', async () => {
    renderInForm(<ResponsiveTab />, campaign)
    const toggle = screen.getByRole('switch', { name: 'Show these ads' })
    expect(toggle).toHaveAccessibleDescription(/^Switched off, these ads are not shown/)
    await userEvent.type(screen.getByLabelText('Title 1'), 'Sunrise')
    expect(toggle).toHaveAccessibleDescription('Switched off: what you entered is kept, but not shown.')
    await userEvent.click(toggle)
    expect(toggle).toHaveAccessibleDescription(/^Switched off, these ads are not shown/)
  })
})
