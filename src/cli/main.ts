#!/usr/bin/env node
console.log("realmctl");
