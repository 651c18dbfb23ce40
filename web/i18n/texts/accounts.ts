import accounts from '../locales/en/accounts.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the administration of accounts.
addEnglish({ accounts })
