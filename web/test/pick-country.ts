import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'

/** Countries that the field `Country` finds for a text. */
export async function foundCountries(text: string): Promise<readonly string[]> {
  await userEvent.type(await screen.findByLabelText('Country'), text)
  const options = await within(await screen.findByRole('listbox')).findAllByRole('option')
  return options.map(({ textContent }) => textContent)
}

/** Finds a country by its name or code in the field `Country`, and picks the first one found. */
export async function pickCountry(text: string): Promise<void> {
  await foundCountries(text)
  await userEvent.keyboard('{Enter}')
}
