import schedule from '../locales/en/schedule.json'
import { addEnglish } from '../add-texts.ts'

// Texts of scheduled changes of campaigns.
addEnglish({ schedule })
