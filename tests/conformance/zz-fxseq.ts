import { seededRandom } from "@homeostat/concurrency";
import { generateSequence } from "./random/generate-sequence.ts";
const [name, ...ids] = process.argv.slice(2);
for (const s of generateSequence(seededRandom(name!), { name: name!, length: 30 }).steps as any[]) if (ids.length === 0 || ids.includes(s.id)) console.log(JSON.stringify(s).slice(0, 400));
