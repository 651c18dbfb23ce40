import administration from '../locales/en/administration.json'
import bidding from '../locales/en/bidding.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the tabs that only owners have; the change log speaks in them too.
addEnglish({ administration, bidding })
