import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { getCampaign } from '#contract/campaign'
import { signedInServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { campaignWith } from '@/test/campaign-form'
import type * as nav from './form-nav.tsx'
import type * as bid from './tabs/setup/bid-field.tsx'

const drawn = vi.hoisted(() => ({ sections: vi.fn<() => void>(), fields: vi.fn<() => void>() }))
vi.mock('./form-nav.tsx', async (original) => {
  const { FormNav: Real } = await original<typeof nav>()
  return {
    FormNav: (props: Parameters<typeof Real>[0]) => {
      drawn.sections()
      return <Real {...props} />
    },
  }
})
vi.mock('./tabs/setup/bid-field.tsx', async (original) => {
  const { BidField: Real } = await original<typeof bid>()
  return {
    BidField: () => {
      drawn.fields()
      return <Real />
    },
  }
})

beforeEach(() => {
  const server = signedInServer({ role: 'USER_OWNER' })
  server.on(getCampaign, () => campaignWith({ id: 'campaign-1', name: 'Autumn' }))
})

it('a keystroke re-renders neither the sections nor the other fields, the first one included', async () => {
  renderRoute('/campaign/edit/campaign-1?tab=basicInfo')
  await screen.findByRole('navigation', { name: 'Form sections' })
  await screen.findByLabelText('Daily budget')
  await screen.findByRole('button', { name: 'Publish' })
  const name = screen.getByLabelText('Campaign name')
  await userEvent.click(name)
  const before = [drawn.sections.mock.calls.length, drawn.fields.mock.calls.length]
  expect(Math.min(...before)).toBeGreaterThan(0)
  await userEvent.type(name, ' and winter')
  expect(screen.getByText('Unsaved changes')).toBeVisible()
  expect([drawn.sections.mock.calls.length, drawn.fields.mock.calls.length]).toEqual(before)
})
