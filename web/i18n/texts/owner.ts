import administration from '../locales/en/administration.json'
import bidding from '../locales/en/bidding.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the owner-only tabs; the change log uses them too.
addEnglish({ administration, bidding })
