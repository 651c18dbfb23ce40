import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Input } from './input.tsx'

// covers CONST-19
it('takes 5,000 characters, unless it has a limit of its own', () => {
  render(
    <>
      <Input aria-label="Free" />
      <Input aria-label="Short" maxLength={75} />
    </>,
  )
  expect(screen.getByLabelText('Free')).toHaveAttribute('maxlength', '5000')
  expect(screen.getByLabelText('Short')).toHaveAttribute('maxlength', '75')
})
