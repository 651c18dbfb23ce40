import search from '../locales/en/search.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the search drawer, the account finder and switching accounts.
addEnglish({ search })
