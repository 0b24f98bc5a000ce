// Sends two events of each person by Segment's client for Go.
package main

import (
	"fmt"
	"log"
	"os"
	"strconv"
	"sync"
	"time"

	"gopkg.in/segmentio/analytics-go.v3"
)

// The client gives up after ten tries.
type pending struct{ sync.WaitGroup }

func (left *pending) Success(analytics.Message) { left.Done() }
func (left *pending) Failure(_ analytics.Message, err error) {
	log.Fatal(err)
}

func main() {
	host, key := os.Args[1], os.Args[2]
	people, _ := strconv.Atoi(os.Args[3])
	begin, _ := time.Parse(time.RFC3339, os.Args[4])
	left := &pending{}
	client, err := analytics.NewWithConfig(key, analytics.Config{
		Endpoint:   host + "/v1/segment",
		BatchSize:  50,
		Interval:   200 * time.Millisecond,
		RetryAfter: func(int) time.Duration { return 6 * time.Second },
		Callback:   left,
	})
	if err != nil {
		log.Fatal(err)
	}
	context := &analytics.Context{
		App:      analytics.AppInfo{Version: "1.4.0"},
		OS:       analytics.OSInfo{Name: "iOS", Version: "18.1"},
		Locale:   "de-DE",
		Location: analytics.LocationInfo{Country: "DE"},
	}
	track := func(event string, person int, at time.Time, properties analytics.Properties) {
		left.Add(1)
		client.Enqueue(analytics.Track{
			AnonymousId: fmt.Sprintf("device-%04d", person),
			UserId:      fmt.Sprintf("user-%d", person),
			Event:       event,
			Timestamp:   at,
			Context:     context,
			Properties:  properties,
		})
	}
	for person := 0; person < people; person++ {
		at := begin.Add(time.Duration(person) * time.Second)
		track("Application Opened", person, at, analytics.Properties{"from": "push", "person": person})
		bought := analytics.Properties{"plan": "year", "items": []string{"a"}}
		track("Purchase Completed", person, at.Add(time.Minute), bought)
		if person%25 == 24 {
			left.Wait()
			fmt.Println(person + 1)
		}
	}
	client.Close()
}
