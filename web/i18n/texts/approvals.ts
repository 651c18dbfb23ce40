import approvals from '../locales/en/approvals.json'
import { addEnglish } from '../add-texts.ts'

// Texts of what waits for a second person.
addEnglish({ approvals })
