import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { MoneyField } from './fields.tsx'
import { AmountInput, LabelledField } from './labelled-field.tsx'
import { ShortForm, useShortForm } from './short-form.tsx'

function Budget({ onSubmit }: { readonly onSubmit: (typed: string) => void }) {
  const form = useShortForm({ budget: '' })
  return (
    <ShortForm form={form} currency="USD" guarded={false} onSubmit={({ budget }) => onSubmit(budget)}>
      <MoneyField name="budget" label="Budget" />
    </ShortForm>
  )
}

it.each([
  ['$75', '75', '75'],
  ['75 USD', '75', '75'],
  ['$1 000,50', '1 000,50', '1000.5'],
  ['€75', '€75', '€75'],
])('an amount "%s" is held as "%s" while it is typed, and shown as "%s" once it is left', async (pasted, held, shown) => {
  const sent: string[] = []
  render(<Budget onSubmit={(typed) => sent.push(typed)} />)
  const field = screen.getByLabelText('Budget')
  await userEvent.click(field)
  await userEvent.paste(pasted)
  expect(field).toHaveValue(held)
  await userEvent.keyboard('{Enter}')
  expect(sent).toEqual([held])
  await userEvent.tab()
  expect(field).toHaveValue(shown)
})

it('an amount whose currency is not known is left as it is typed', async () => {
  render(
    <LabelledField label="Budget">
      <AmountInput currency={null} />
    </LabelledField>,
  )
  await userEvent.type(screen.getByLabelText('Budget'), '$75')
  expect(screen.getByLabelText('Budget')).toHaveValue('$75')
})
